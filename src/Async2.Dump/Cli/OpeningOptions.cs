using System.CommandLine;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Layouts.Reporting;
using Async2.Analysis.Targets.Contract;

namespace Async2.Dump.Cli;

/// <summary>The options for opening a target and for the layout of its runtime.</summary>
internal sealed class OpeningOptions
{
    private Option<string[]> Symbols { get; } = new("--symbols") { Description = "Folder with PDB files; may be repeated", HelpName = "DIR", DefaultValueFactory = _ => [] };

    private Option<string?> Dac { get; } = new("--dac") { Description = $"Data access library ({TargetOptions.DacFileName}) of the target's runtime; it is code that runs in this process", HelpName = "FILE" };

    private Option<string?> Description { get; } = new("--layout") { Description = "Description of a private runtime's layout: docs/layouts.md", HelpName = "FILE" };

    private Option<string> Freeze { get; } = Choice(
        "--freeze", "Live: stop the process until it is copied (brief; all of it: copy; what async code needs: parts), until it is analyzed (full), or not at all", ["brief", "full", "none", "copy", "parts"]);

    // For debugger scripts: only the debugger knows these.
    private Option<string?> Registers { get; } = new("--registers") { Hidden = true };

    /// <summary>In help order.</summary>
    public IEnumerable<Option> All => [Symbols, Dac, Description, Freeze, Registers];

    /// <summary>An option with a fixed set of values; the first one is the default.</summary>
    public static Option<string> Choice(string name, string description, string[] values)
    {
        var option = new Option<string>(name) { Description = description, DefaultValueFactory = _ => values[0] };
        return option.AcceptOnlyFromAmong(values);
    }

    /// <summary>Throws, before any target is opened, if a folder or file named by the user does not exist or has the wrong kind.</summary>
    /// <exception cref="UsageException">One does not exist.</exception>
    /// <exception cref="LayoutException">The layout cannot be used.</exception>
    public void Check(ParseResult parsed)
    {
        if (parsed.GetRequiredValue(Symbols).FirstOrDefault(folder => !Directory.Exists(folder)) is { } missing)
        {
            throw new UsageException(
                File.Exists(missing) ? $"--symbols needs a folder, but '{missing}' is a file" : $"there is no folder '{missing}' (given as --symbols)",
                "type --symbols and the folder that holds the PDB files");
        }
        CheckFile("--dac", parsed.GetValue(Dac), $"type --dac and the path of the target's own {TargetOptions.DacFileName}");
        CheckFile("--layout", parsed.GetValue(Description), "type --layout and the path of a description, as in docs/layouts.md");
        if (parsed.GetValue(Description) is { } layout)
            LayoutVerification.Of(layout);
    }

    /// <summary>The user's layout; null for none.</summary>
    public string? Layout(ParseResult parsed) => parsed.GetValue(Description);

    public TargetOptions ForTarget(ParseResult parsed) => new()
    {
        DacPath = parsed.GetValue(Dac),
        Registers = parsed.GetValue(Registers),
        SymbolDirectories = [.. parsed.GetRequiredValue(Symbols)],
        Freeze = Enum.Parse<FreezeMode>(parsed.GetRequiredValue(Freeze), ignoreCase: true),
    };

    private static void CheckFile(string option, string? path, string fix)
    {
        if (path is not null && !File.Exists(path))
            throw new UsageException(Directory.Exists(path) ? $"{option} needs a file, but '{path}' is a folder" : $"there is no file '{path}' (given as {option})", fix);
    }
}
