using Microsoft.Testing.Platform.Builder;
using Microsoft.Testing.Platform.Extensions;

namespace Async2.Testing;

/// <summary>
/// What Microsoft.Testing.Platform calls: generated code of a project that references the package, or the platform itself where a manifest lies beside the
/// test program (<c>--enable-dynamic-extensions</c>).
/// </summary>
public static class TestingPlatformBuilderHook
{
    // In both ways at once: the platform calls it twice, the second time in a load context of its own, which has its own statics.
    private const string Registered = "Async2.Testing.Builder";

    /// <summary>Adds the watch over tests that do not end.</summary>
    /// <param name="testApplicationBuilder">The test program's.</param>
    /// <param name="arguments">Its command line.</param>
#pragma warning disable IDE0060 // The platform calls it with both.
    public static void AddExtensions(ITestApplicationBuilder testApplicationBuilder, string[] arguments)
#pragma warning restore IDE0060
    {
        ArgumentNullException.ThrowIfNull(testApplicationBuilder);
        if (ReferenceEquals(AppContext.GetData(Registered), testApplicationBuilder))
            return;
        AppContext.SetData(Registered, testApplicationBuilder);
        testApplicationBuilder.CommandLine.AddProvider(() => new HangOptions());
        var controller = new CompositeExtensionFactory<ControllerWatch>(services => new ControllerWatch(services));
        testApplicationBuilder.TestHostControllers.AddEnvironmentVariableProvider(controller);
        testApplicationBuilder.TestHostControllers.AddProcessLifetimeHandler(controller);
        var host = new CompositeExtensionFactory<HostWatch>(services => new HostWatch(services));
        testApplicationBuilder.TestHost.AddDataConsumer(host);
        testApplicationBuilder.TestHost.AddTestSessionLifetimeHandler(host);
    }
}
