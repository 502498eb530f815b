using Microsoft.Testing.Platform.Services;

namespace Async2.Testing;

/// <summary>Reports tests that take too long, as the platform wants it: where the user looks, with files in the folder of results.</summary>
internal static class MtpReport
{
    // Microsoft.Testing.Platform, PlatformConfigurationConstants.PlatformResultDirectory.
    private const string ResultDirectory = "platformOptions:resultDirectory";

    /// <summary>Runs the tool on a test host; returns the files that it has saved.</summary>
    /// <param name="services">Of the platform.</param>
    /// <param name="host">Process id.</param>
    /// <param name="hung">The tests.</param>
    public static string[] Run(IServiceProvider services, int host, HungTests hung)
    {
        using FileStream? captured = HangOptions.IsCaptured(services.GetCommandLineOptions()) ? RunnerOutput.Open() : null;
        using StreamWriter? output = captured is null ? null : new StreamWriter(captured) { AutoFlush = true };
        return new HangTool(HangOptions.ToolOf(services.GetCommandLineOptions())) { Lines = output is null ? null : line => Write(output, line) }.Run(host, hung, FolderOf(services)) ?? [];
    }

    private static string FolderOf(IServiceProvider services)
        => services.GetConfiguration()[ResultDirectory] is { Length: > 0 } folder ? folder : Path.Join(AppContext.BaseDirectory, "TestResults");

    private static void Write(StreamWriter output, string line)
    {
        try
        {
            output.WriteLine(line);
        }
        catch (IOException)
        {
            // Nobody reads it any more.
        }
    }
}
