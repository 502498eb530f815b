using System.CommandLine;
using Async2.Analysis;
using Async2.Analysis.Targets.Contract;
using Async2.Dump.Cli;
using Async2.Dump.Gates;

namespace Async2.Dump.Watching;

/// <summary>The options of <c>watch</c>.</summary>
internal sealed class WatchOptions
{
    private readonly Option<string?> _interval = new("--interval") { Description = "Time between two looks (default 1s, and longer if the process would be stopped for more than 1 % of the time, or all processors are busy)", HelpName = "1s" };
    private readonly Option<int?> _count = new("--count") { Description = "End after N looks", HelpName = "N", CustomParser = result => Numbers.Positive(result, "--count") };
    private readonly Option<string?> _onStuck = new("--on-stuck") { Description = "Save a snapshot when something that should go on has not moved for so long", HelpName = "30s" };
    private readonly Option<string[]> _onFinding = new("--on-finding") { Description = "Save a snapshot when there is a finding of a rule, from a confidence on (default likely); may be repeated", HelpName = "RULE[:CONFIDENCE]", DefaultValueFactory = _ => [] };
    private readonly Option<string?> _every = new("--every") { Description = "Save a snapshot so often; of these the last ones are kept", HelpName = "60s" };
    private readonly Option<string?> _save = new("--save") { Description = "Folder for snapshots (default: this one)", HelpName = "DIR" };
    private readonly Option<int?> _maxSaves = new("--max-saves") { Description = $"At most N snapshots for --on-stuck and --on-finding (default {WatchPlan.DefaultSaves})", HelpName = "N", CustomParser = result => Numbers.Positive(result, "--max-saves") };
    private readonly Option<int?> _keep = new("--keep") { Description = $"Keep the last N snapshots of --every (default {WatchPlan.DefaultKept})", HelpName = "N", CustomParser = result => Numbers.Positive(result, "--keep") };
    private readonly Option<string?> _maxDisk = new("--max-disk") { Description = "At most so much in the folder: of its own snapshots the oldest are deleted, then nothing more is saved", HelpName = "200MB" };
    private readonly Option<bool> _includeFramework = new("--include-framework") { Description = "Keep frames of .NET, which are folded otherwise" };
    private readonly Option<bool> _deep = new("--deep") { Description = "Search the whole heap for waits that nothing can end, in each look" };
    private readonly Option<bool> _noDeep = new("--no-deep") { Description = "Do not search the heap for waits that nothing can end" };
    private readonly ValueOptions _values = new();
    private readonly OpeningOptions _opening = new();

    public QueryOptions Query { get; } = new();

    public void AddTo(Command command)
    {
        foreach (Option option in (Option[])[_interval, _count, _onStuck, _onFinding, _every, _save, _maxSaves, _keep, _maxDisk, .. Query.All, _includeFramework, .. _values.All, _deep, _noDeep, .. _opening.All])
            command.Options.Add(option);
    }

    /// <exception cref="UsageException">A value is not valid, or a file that it names is not there.</exception>
    public void Check(ParseResult parsed)
    {
        if (parsed.GetValue(_deep) && parsed.GetValue(_noDeep))
            throw new UsageException("--deep and --no-deep contradict each other", "give one of them");
        if (Query.Read(parsed) is { GroupBy: not null })
            throw new UsageException("--group-by: watch shows groups of equal stacks", "take a snapshot and group that: dotnet-async2 snapshot PID");
        if (parsed.GetValue(_save) is { } folder && File.Exists(folder))
            throw new UsageException($"--save needs a folder, but '{folder}' is a file", "type --save and the name of a folder; it is made if it does not exist");
        _opening.Check(parsed);
    }

    public TargetOptions ForTarget(ParseResult parsed) => _opening.ForTarget(parsed);

    public AnalysisOptions ForAnalysis(ParseResult parsed) => new()
    {
        IncludeFramework = parsed.GetValue(_includeFramework),
        Deep = parsed.GetValue(_deep) ? true : parsed.GetValue(_noDeep) ? false : null,
        Values = _values.Of(parsed),
        LayoutFile = _opening.Layout(parsed),
        Query = Query.Read(parsed),
    };

    /// <exception cref="UsageException">A time, a rule or a confidence is not valid.</exception>
    public WatchPlan Plan(ParseResult parsed)
    {
        FailOn[] findings = [.. parsed.GetRequiredValue(_onFinding).Select(text => FailOn.Parse(text, "--on-finding"))];
        return new WatchPlan
        {
            Interval = Time(parsed, _interval),
            Count = parsed.GetValue(_count),
            OnStuck = Time(parsed, _onStuck),
            OnFinding = findings.Length == 0 ? _ => false : finding => findings.Any(rule => rule.Matches(finding)),
            Every = Time(parsed, _every),
            Folder = parsed.GetValue(_save) ?? ".",
            MaxSaves = parsed.GetValue(_maxSaves) ?? WatchPlan.DefaultSaves,
            Keep = parsed.GetValue(_keep) ?? WatchPlan.DefaultKept,
            MaxDisk = parsed.GetValue(_maxDisk) is { } size ? Numbers.Bytes(_maxDisk.Name, size) : null,
        };
    }

    private static TimeSpan? Time(ParseResult parsed, Option<string?> option) => parsed.GetValue(option) is { } text ? Looks.Duration(option.Name, text) : null;
}
