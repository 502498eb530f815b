using Async2.Testing;
using HungTests;
using Microsoft.Testing.Extensions;
using Microsoft.Testing.Platform.Builder;
using Microsoft.Testing.Platform.Capabilities.TestFramework;

// What the test Child starts.
if (args is ["child"])
    return await new Suite().WaitInChild();

// HUNG names the tests to run; HUNG_STATIC=1 registers the extension as generated code of a project would.
ITestApplicationBuilder builder = await TestApplication.CreateBuilderAsync(args);
builder.RegisterTestFramework(_ => new TestFrameworkCapabilities(), (_, _) => new SmallFramework(Environment.GetEnvironmentVariable("HUNG") ?? ""));
builder.AddHangDumpProvider();
if (Environment.GetEnvironmentVariable("HUNG_STATIC") == "1")
    TestingPlatformBuilderHook.AddExtensions(builder, args);
using ITestApplication application = await builder.BuildAsync();
return await application.RunAsync();
