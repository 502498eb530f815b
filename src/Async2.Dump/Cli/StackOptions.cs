using System.CommandLine;
using Async2.Analysis;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Model.Labels;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Targets.Contract;
using Async2.Dump.Exports;

namespace Async2.Dump.Cli;

/// <summary>The options of every command that shows stacks, and their translation for the library.</summary>
internal sealed class StackOptions
{
    // Of more of equal stacks than these it is not read how far their variables differ.
    private const int PageMembers = 1000;

    public Option<string> Format { get; } = OpeningOptions.Choice("--format", "Output format", [.. ToolFormats.All.Select(renderer => renderer.Format)]);

    public Option<string?> Output { get; } = new("--output", "-o") { Description = "Write the answer to a file", HelpName = "FILE" };

    private Option<bool> All { get; } = new("--all") { Description = "Each stack on its own: do not group equal stacks" };

    public QueryOptions Query { get; } = new();

    private Option<bool> FindingsOnly { get; } = new("--findings-only") { Description = "What is wrong, without the stacks" };

    private Option<string?> SourceRoot { get; } = new("--source-root") { Description = "SARIF: folder to which files are relative", HelpName = "DIR" };

    private Option<bool> LeafFirst { get; } = new("--leaf-first") { Description = "Text: innermost frame first" };

    private Option<bool> Locals { get; } = new("--locals") { Description = "Show arguments and locals of each frame" };

    private Option<bool> IncludeFramework { get; } = new("--include-framework") { Description = "Keep frames of .NET, which are folded otherwise" };

    private Option<bool> Completed { get; } = new("--completed") { Description = "Also completed tasks of async methods that are still on the heap" };

    private Option<bool> Tasks { get; } = new("--tasks") { Description = "Also pending tasks that no async method waits for" };

    private Option<bool> Deep { get; } = new("--deep") { Description = "Search the whole heap for waits that nothing can end, however long it takes" };

    private Option<bool> NoDeep { get; } = new("--no-deep") { Description = "Do not search the heap for waits that nothing can end" };

    private ValueOptions Values { get; } = new();

    /// <summary>How often the target is read.</summary>
    public Looks Looks { get; } = new();

    private OpeningOptions Opening { get; } = new();

    /// <summary>Adds all of them to a command.</summary>
    public void AddTo(Command command)
    {
        foreach (Option option in (Option[])[Format, Output, All, .. Query.All, FindingsOnly, SourceRoot, LeafFirst, Locals, IncludeFramework, Completed, Tasks, .. Values.All, Deep, NoDeep, .. Looks.All, .. Opening.All])
            command.Options.Add(option);
    }

    public IRenderer Renderer(ParseResult parsed) => ToolFormats.Of(parsed.GetRequiredValue(Format));

    /// <summary>Throws, before any target is opened, if a folder or file named by the user does not exist.</summary>
    /// <exception cref="UsageException">One does not exist.</exception>
    /// <exception cref="LayoutException">The layout cannot be used.</exception>
    public void Check(ParseResult parsed)
    {
        AnswerFile.Check(parsed.GetValue(Output));
        string format = parsed.GetRequiredValue(Format);
        if (ToolFormats.IsBinary(format) && parsed.GetValue(Output) is null && !Console.IsOutputRedirected)
            throw new UsageException($"{format} is not text, and a terminal shows text", $"type -o stacks.{format}.gz");
        if (parsed.GetValue(Deep) && parsed.GetValue(NoDeep))
            throw new UsageException("--deep and --no-deep contradict each other", "give one of them");
        Looks.Plan(parsed);
        if (Values.Of(parsed) == ShownValues.None && parsed.GetValue(Locals))
            throw new UsageException("--redact and --locals contradict each other", "give one of them");
        Opening.Check(parsed);
    }

    public TargetOptions ForTarget(ParseResult parsed) => Opening.ForTarget(parsed);

    public AnalysisOptions ForAnalysis(ParseResult parsed) => new()
    {
        Coalesce = !parsed.GetValue(All),
        IncludeFramework = parsed.GetValue(IncludeFramework),
        Locals = parsed.GetValue(Locals),
        // Only the page can be leafed through.
        Members = parsed.GetValue(Format) == "html" ? PageMembers : 0,
        Completed = parsed.GetValue(Completed),
        PlainTasks = parsed.GetValue(Tasks),
        Deep = parsed.GetValue(Deep) ? true : parsed.GetValue(NoDeep) ? false : null,
        Values = Values.Of(parsed),
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
        FindingsOnly = parsed.GetValue(FindingsOnly),
        AllFindings = parsed.GetValue(All),
        SourceRoot = parsed.GetValue(SourceRoot),
        ShowIdle = parsed.GetValue(All) || parsed.GetValue(IncludeFramework),
        AllAges = query.AsksForAges,
        WithoutValues = Values.Of(parsed) == ShownValues.None,
        Verbose = verbose,
        Text = text,
    };
}
