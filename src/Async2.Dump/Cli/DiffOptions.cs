using System.CommandLine;
using Async2.Analysis;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Targets.Contract;

namespace Async2.Dump.Cli;

/// <summary>The options of <c>diff</c>.</summary>
internal sealed class DiffOptions
{
    private readonly Option<string> _format = OpeningOptions.Choice("--format", "Output format", ["text", "json", "html"]);
    private readonly Option<string?> _interval = new("--interval") { Description = "Time between two looks at the same process (default 1s)", HelpName = "1s" };
    private readonly Option<bool> _leafFirst = new("--leaf-first") { Description = "Text: innermost frame first" };
    private readonly Option<bool> _includeFramework = new("--include-framework") { Description = "Keep frames of .NET, which are folded otherwise" };
    private readonly OpeningOptions _opening = new();

    public QueryOptions Query { get; } = new();

    public Option<string?> Output { get; } = new("--output", "-o") { Description = "Write the answer to a file", HelpName = "FILE" };

    public void AddTo(Command command)
    {
        foreach (Option option in (Option[])[_format, Output, _interval, .. Query.All, _leafFirst, _includeFramework, .. _opening.All])
            command.Options.Add(option);
    }

    public string Format(ParseResult parsed) => parsed.GetRequiredValue(_format);

    /// <summary>How long to wait before the same process is read again; null for the usual time.</summary>
    /// <exception cref="UsageException">It is not a time.</exception>
    public TimeSpan? Interval(ParseResult parsed) => parsed.GetValue(_interval) is { } text ? Looks.Duration("--interval", text) : null;

    /// <exception cref="UsageException">A value is not valid, or a file that it names is not there.</exception>
    public void Check(ParseResult parsed)
    {
        AnswerFile.Check(parsed.GetValue(Output));
        _opening.Check(parsed);
    }

    public TargetOptions ForTarget(ParseResult parsed) => _opening.ForTarget(parsed);

    public AnalysisOptions ForAnalysis(ParseResult parsed)
        => new() { Comparable = true, IncludeFramework = parsed.GetValue(_includeFramework), LayoutFile = _opening.Layout(parsed), Query = Query.Read(parsed) };

    public RenderOptions ForRendering(ParseResult parsed, StackQuery query, bool verbose, Func<TextWriter, StyledText> text) => new()
    {
        LeafFirst = parsed.GetValue(_leafFirst),
        Limit = query.Limit,
        ShowIdle = parsed.GetValue(_includeFramework),
        Verbose = verbose,
        Text = text,
    };
}
