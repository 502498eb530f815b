using System.CommandLine;
using Async2.Analysis;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering;
using Async2.Analysis.Rendering.Formats;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Targets.Contract;

namespace Async2.Dump.Cli;

/// <summary>The options of every command that shows stacks, and their translation for the library.</summary>
internal sealed class StackOptions
{
    public Option<string> Format { get; } = OpeningOptions.Choice("--format", "Output format", [.. Renderers.All.Select(renderer => renderer.Format)]);

    public Option<string?> Output { get; } = new("--output", "-o") { Description = "Write the answer to a file", HelpName = "FILE" };

    private Option<bool> All { get; } = new("--all") { Description = "Each stack on its own: do not group equal stacks" };

    public QueryOptions Query { get; } = new();

    private Option<bool> LeafFirst { get; } = new("--leaf-first") { Description = "Text: innermost frame first" };

    private Option<bool> Locals { get; } = new("--locals") { Description = "Show arguments and locals of each frame" };

    private Option<bool> IncludeFramework { get; } = new("--include-framework") { Description = "Keep frames of .NET, which are folded otherwise" };

    private Option<bool> Completed { get; } = new("--completed") { Description = "Also completed tasks of async methods that are still on the heap" };

    private Option<bool> Tasks { get; } = new("--tasks") { Description = "Also pending tasks that no async method waits for" };

    private OpeningOptions Opening { get; } = new();

    /// <summary>Adds all of them to a command.</summary>
    public void AddTo(Command command)
    {
        foreach (Option option in (Option[])[Format, Output, All, .. Query.All, LeafFirst, Locals, IncludeFramework, Completed, Tasks, .. Opening.All])
            command.Options.Add(option);
    }

    public IRenderer Renderer(ParseResult parsed) => Renderers.Find(parsed.GetRequiredValue(Format))!;

    /// <summary>Throws, before any target is opened, if a folder or file named by the user does not exist.</summary>
    /// <exception cref="UsageException">One does not exist.</exception>
    /// <exception cref="LayoutException">The layout cannot be used.</exception>
    public void Check(ParseResult parsed)
    {
        AnswerFile.Check(parsed.GetValue(Output));
        Opening.Check(parsed);
    }

    public TargetOptions ForTarget(ParseResult parsed) => Opening.ForTarget(parsed);

    public AnalysisOptions ForAnalysis(ParseResult parsed) => new()
    {
        Coalesce = !parsed.GetValue(All),
        IncludeFramework = parsed.GetValue(IncludeFramework),
        Locals = parsed.GetValue(Locals),
        Completed = parsed.GetValue(Completed),
        PlainTasks = parsed.GetValue(Tasks),
        LayoutFile = Opening.Layout(parsed),
        Query = Query.Read(parsed),
    };

    /// <param name="parsed">The command line.</param>
    /// <param name="query">The parsed query.</param>
    /// <param name="verbose">All problems are printed.</param>
    /// <param name="text">Creates the text sink.</param>
    public RenderOptions ForRendering(ParseResult parsed, StackQuery query, bool verbose, Func<TextWriter, StyledText> text) => new()
    {
        LeafFirst = parsed.GetValue(LeafFirst),
        Limit = query.Limit,
        GroupBy = query.GroupBy,
        ShowIdle = parsed.GetValue(All) || parsed.GetValue(IncludeFramework),
        Verbose = verbose,
        Text = text,
    };
}
