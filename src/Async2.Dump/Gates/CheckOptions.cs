using System.CommandLine;
using Async2.Analysis;
using Async2.Analysis.Targets.Contract;
using Async2.Dump.Cli;

namespace Async2.Dump.Gates;

/// <summary>The options of <c>check</c>.</summary>
internal sealed class CheckOptions
{
    private readonly Option<string[]> _failOn = new("--fail-on") { Description = "Fail on a rule, from a confidence on (default likely); by default on every error that is likely", HelpName = "RULE[:CONFIDENCE]", DefaultValueFactory = _ => [] };
    private readonly Option<string?> _baseline = new("--baseline") { Description = "Findings of an earlier answer, JSON or snapshot, do not count", HelpName = "FILE" };
    private readonly Option<int?> _maxGroup = new("--max-group") { Description = "Fail when more than N equal stacks wait", HelpName = "N", CustomParser = result => Numbers.Positive(result, "--max-group") };
    private readonly Option<string?> _stuckOver = new("--stuck-over") { Description = "Look twice: fail when a stack still waits for the same lock, semaphore or pool", HelpName = "30s" };
    private readonly Option<int?> _looks = Looks.NumberOption("With --stuck-over: look N times in that time (default 2)");
    private readonly Option<bool> _selfTest = new("--self-test") { Description = "Check a bundled program that is deadlocked: proves that this gate can fail" };
    private readonly Option<string> _format = OpeningOptions.Choice("--format", "Output format", ["text", "json", "sarif"]);
    private readonly Option<string?> _sourceRoot = new("--source-root") { Description = "SARIF: folder to which files are relative", HelpName = "DIR" };
    private readonly OpeningOptions _opening = new();

    public Option<string?> Output { get; } = new("--output", "-o") { Description = "Write the answer to a file", HelpName = "FILE" };

    public void AddTo(Command command)
    {
        foreach (Option option in (Option[])[_failOn, _baseline, _maxGroup, _stuckOver, _looks, _selfTest, _format, _sourceRoot, Output, .. _opening.All])
            command.Options.Add(option);
    }

    public bool IsSelfTest(ParseResult parsed) => parsed.GetValue(_selfTest);

    public string Format(ParseResult parsed) => parsed.GetRequiredValue(_format);

    /// <summary>What was said about the answer: its format and where it goes.</summary>
    public string[] ForAnswer(ParseResult parsed) => parsed.GetValue(Output) is { } file ? [_format.Name, Format(parsed), Output.Name, file] : [_format.Name, Format(parsed)];

    public string? SourceRoot(ParseResult parsed) => parsed.GetValue(_sourceRoot);

    /// <exception cref="UsageException">A value is not valid, or a file that it names is not there.</exception>
    public void Check(ParseResult parsed)
    {
        AnswerFile.Check(parsed.GetValue(Output));
        _opening.Check(parsed);
    }

    public TargetOptions ForTarget(ParseResult parsed) => _opening.ForTarget(parsed);

    public AnalysisOptions ForAnalysis(ParseResult parsed) => new() { LayoutFile = _opening.Layout(parsed) };

    /// <summary>How many looks, how far apart, so that the first and the last are as far apart as the user asks; null for one look.</summary>
    /// <exception cref="UsageException">It is not a time, or there are fewer than two looks.</exception>
    public LookPlan? StuckOver(ParseResult parsed)
    {
        int? count = parsed.GetValue(_looks);
        if (parsed.GetValue(_stuckOver) is not { } text)
            return count is null ? null : throw new UsageException("--looks is how often to look within --stuck-over, which is missing", "add --stuck-over 30s");
        if (count < 2)
            throw new UsageException("--stuck-over needs two looks, or more", "leave --looks out, or type --looks 3");
        return new(count ?? 2, Looks.Duration("--stuck-over", text) / ((count ?? 2) - 1));
    }

    /// <exception cref="UsageException">A rule, a confidence or the baseline is not valid.</exception>
    public Gate Gate(ParseResult parsed)
        => new([.. parsed.GetRequiredValue(_failOn).Select(text => FailOn.Parse(text))], Baseline.Read(parsed.GetValue(_baseline)), parsed.GetValue(_maxGroup));
}
