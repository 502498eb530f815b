using System.CommandLine;
using Async2.Analysis;
using Async2.Analysis.Rendering;
using Async2.Analysis.Stacks;
using Async2.Analysis.Targets;

namespace Async2.Dump.Cli;

/// <summary>The options of every command that shows stacks, and what they mean to the library.</summary>
internal sealed class StackOptions
{
    public Option<string> Format { get; } = Choice("--format", "Output format", [.. Renderers.All.Select(renderer => renderer.Format)]);

    public Option<string?> Output { get; } = new("--output", "-o") { Description = "Write the answer to a file", HelpName = "FILE" };

    private Option<bool> All { get; } = new("--all") { Description = "Each stack on its own: do not group equal stacks" };

    public QueryOptions Query { get; } = new();

    private Option<bool> LeafFirst { get; } = new("--leaf-first") { Description = "Text: innermost frame first" };

    private Option<bool> Locals { get; } = new("--locals") { Description = "Show arguments and locals of each frame" };

    private Option<bool> IncludeFramework { get; } = new("--include-framework") { Description = "Keep frames of .NET, which are folded otherwise" };

    private Option<string[]> Symbols { get; } = new("--symbols") { Description = "Folder with PDB files; may be repeated", HelpName = "DIR", DefaultValueFactory = _ => [] };

    private Option<string?> Dac { get; } = new("--dac") { Description = "Data access library (libmscordaccore.so) of the target's runtime; it is code that runs in this process", HelpName = "FILE" };

    private Option<string> Freeze { get; } = Choice(
        "--freeze", "Live: stop the process until it is copied (brief), until it is analyzed (full), or not at all", ["brief", "full", "none"]);

    // For scripts of debuggers: nobody else can tell.
    private Option<string?> Registers { get; } = new("--registers") { Hidden = true };

    /// <summary>Adds all of them to a command.</summary>
    public void AddTo(Command command)
    {
        foreach (Option option in (Option[])[Format, Output, All, .. Query.All, LeafFirst, Locals, IncludeFramework, Symbols, Dac, Freeze, Registers])
            command.Options.Add(option);
    }

    public IRenderer Renderer(ParseResult parsed) => Renderers.Find(parsed.GetRequiredValue(Format))!;

    /// <summary>Says before any target is touched that a folder or file named by the user does not exist.</summary>
    /// <exception cref="UsageException">One does not.</exception>
    public void Check(ParseResult parsed)
    {
        AnswerFile.Check(parsed.GetValue(Output));
        if (parsed.GetRequiredValue(Symbols).FirstOrDefault(folder => !Directory.Exists(folder)) is { } missing)
        {
            throw new UsageException(
                File.Exists(missing) ? $"--symbols wants a folder, and '{missing}' is a file" : $"there is no folder '{missing}' (given as --symbols)",
                "type --symbols and the folder that holds the PDB files");
        }
        if (parsed.GetValue(Dac) is { } dac && !File.Exists(dac))
        {
            throw new UsageException(
                Directory.Exists(dac) ? $"--dac wants a file, and '{dac}' is a folder" : $"there is no file '{dac}' (given as --dac)",
                "type --dac and the path of the target's own libmscordaccore.so");
        }
    }

    public TargetOptions ForTarget(ParseResult parsed) => new()
    {
        DacPath = parsed.GetValue(Dac),
        SymbolDirectories = [.. parsed.GetRequiredValue(Symbols)],
        Registers = parsed.GetValue(Registers),
        Freeze = Enum.Parse<FreezeMode>(parsed.GetRequiredValue(Freeze), ignoreCase: true),
    };

    public AnalysisOptions ForAnalysis(ParseResult parsed) => new()
    {
        Coalesce = !parsed.GetValue(All),
        IncludeFramework = parsed.GetValue(IncludeFramework),
        Locals = parsed.GetValue(Locals),
        Query = Query.Read(parsed),
    };

    /// <param name="parsed">The command line.</param>
    /// <param name="query">What was read from it.</param>
    /// <param name="verbose">All problems are wanted.</param>
    /// <param name="text">Makes the sink of text.</param>
    public RenderOptions ForRendering(ParseResult parsed, StackQuery query, bool verbose, Func<TextWriter, StyledText> text) => new()
    {
        LeafFirst = parsed.GetValue(LeafFirst),
        Limit = query.Limit,
        GroupBy = query.GroupBy,
        Verbose = verbose,
        Text = text,
    };

    private static Option<string> Choice(string name, string description, string[] values)
    {
        var option = new Option<string>(name) { Description = description, DefaultValueFactory = _ => values[0] };
        return option.AcceptOnlyFromAmong(values);
    }
}
