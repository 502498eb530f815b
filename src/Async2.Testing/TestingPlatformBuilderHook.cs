using Microsoft.Testing.Platform.Builder;
using Microsoft.Testing.Platform.Extensions;

namespace Async2.Testing;

/// <summary>
/// What Microsoft.Testing.Platform calls: generated code of a project that references the package, or the platform itself where a manifest lies beside the
/// test program (<c>--enable-dynamic-extensions</c>).
/// </summary>
public static class TestingPlatformBuilderHook
{
    /// <summary>Adds the watch over tests that do not end.</summary>
    /// <param name="testApplicationBuilder">The test program's.</param>
    /// <param name="arguments">Its command line.</param>
#pragma warning disable IDE0060 // The platform calls it with both.
    public static void AddExtensions(ITestApplicationBuilder testApplicationBuilder, string[] arguments)
#pragma warning restore IDE0060
    {
        ArgumentNullException.ThrowIfNull(testApplicationBuilder);
        testApplicationBuilder.CommandLine.AddProvider(() => new HangOptions());
        var watch = new CompositeExtensionFactory<HangWatch>(services => new HangWatch(services));
        testApplicationBuilder.TestHost.AddDataConsumer(watch);
        testApplicationBuilder.TestHost.AddTestSessionLifetimeHandler(watch);
    }
}
