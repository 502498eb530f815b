using System.CommandLine;

namespace Async2.Dump.Cli;

/// <summary>Options about amount and style of output; every command has them.</summary>
internal sealed class OutputOptions
{
    public Option<bool> NoColor { get; } = new("--no-color") { Description = "No colours (also with NO_COLOR set)", Recursive = true };

    public Option<bool> Ascii { get; } = new("--ascii") { Description = "Only ASCII characters in text", Recursive = true };

    public Option<bool> Quiet { get; } = new("--quiet", "-q") { Description = "No progress on standard error", Recursive = true };

    public Option<bool> Verbose { get; } = new("--verbose", "-v") { Description = "All problems, and details of errors", Recursive = true };

    // For hosts that capture the answer and show it on their own terminal.
    public Option<int?> Width { get; } = new("--width") { Hidden = true, Recursive = true, CustomParser = result => Numbers.Positive(result, "--width") };

    /// <summary>Adds all of them to the root, for every command below it.</summary>
    public void AddTo(RootCommand root)
    {
        foreach (Option option in new Option[] { NoColor, Ascii, Quiet, Verbose, Width })
            root.Options.Add(option);
    }
}
