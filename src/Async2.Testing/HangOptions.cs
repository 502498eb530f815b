using Microsoft.Testing.Platform.CommandLine;
using Microsoft.Testing.Platform.Extensions;
using Microsoft.Testing.Platform.Extensions.CommandLine;

namespace Async2.Testing;

/// <summary>The extension's options on the command line of a test program.</summary>
internal sealed class HangOptions : PlatformExtension, ICommandLineOptionsProvider
{
    private const string Timeout = "async2-hang-timeout";
    private const string Tool = "async2-tool";

    // Of Microsoft.Testing.Extensions.HangDump: stacks come before its dump. A bare number is milliseconds there.
    private const string HangDumpTimeout = "hangdump-timeout";
    private const string BareUnit = "ms";

    // What has the platform run tests in a process of their own, with a controller beside it.
    private static readonly string[] OfControllers = ["hangdump", "crashdump", "crash-report"];

    // How "dotnet test" starts test programs. It keeps what they print until they end.
    private const string Server = "server", DotnetTest = "dotnettestcli";

    /// <summary>How long a test may take.</summary>
    public static TimeSpan LimitOf(ICommandLineOptions options)
    {
        if (options.TryGetOptionArgumentList(Timeout, out string[]? given) && HangTime.Parse(given[0]) is { } limit)
            return limit;
        return HangTime.LimitBefore(options.TryGetOptionArgumentList(HangDumpTimeout, out string[]? dump) ? HangTime.Parse(dump[0], BareUnit) : null);
    }

    /// <summary>The tests run in a process of their own, which this one, or its parent, controls: somebody asked for that.</summary>
    public static bool HasController(ICommandLineOptions options) => OfControllers.Any(options.IsOptionSet);

    /// <summary>Somebody else reads what this process prints, and shows it when it has ended.</summary>
    public static bool IsCaptured(ICommandLineOptions options) => options.TryGetOptionArgumentList(Server, out string[]? kind) && kind.Contains(DotnetTest);

    /// <summary>The tool's file; null if it is not given.</summary>
    public static string? ToolOf(ICommandLineOptions options) => options.TryGetOptionArgumentList(Tool, out string[]? given) ? given[0] : null;

    public override Task<bool> IsEnabledAsync() => Task.FromResult(true);

    public IReadOnlyCollection<CommandLineOption> GetCommandLineOptions() =>
    [
        new(Timeout, "Show the async stacks of a test that runs for longer than this: 90s, 5m (default 60 % of --hangdump-timeout, else 5m)", ArgumentArity.ExactlyOne, false),
        new(Tool, "The file of dotnet-async2, if it is not on the PATH", ArgumentArity.ExactlyOne, false),
    ];

    public Task<ValidationResult> ValidateOptionArgumentsAsync(CommandLineOption commandOption, string[] arguments)
        => commandOption.Name == Timeout && HangTime.Parse(arguments[0]) is null ? ValidationResult.InvalidTask($"'{arguments[0]}' is not a time: give it as 90s, 5m or 1.5h")
            : commandOption.Name == Tool && !File.Exists(arguments[0]) ? ValidationResult.InvalidTask($"there is no file '{arguments[0]}'") : ValidationResult.ValidTask;

    public Task<ValidationResult> ValidateCommandLineOptionsAsync(ICommandLineOptions commandLineOptions) => ValidationResult.ValidTask;
}
