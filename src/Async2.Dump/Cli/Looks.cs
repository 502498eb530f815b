using System.CommandLine;
using System.Globalization;
using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;

namespace Async2.Dump.Cli;

/// <summary>One look at a target, or several at a process: those after the first tell what has moved.</summary>
internal sealed class Looks
{
    /// <summary>Between two looks, if nobody says.</summary>
    public static readonly TimeSpan DefaultInterval = TimeSpan.FromSeconds(1);

    private Option<int?> Number { get; } = NumberOption("Live: look N times, to see what moves and what does not: findings use it (default 1)");

    private Option<string?> Interval { get; } = new("--interval") { Description = "Time between two looks (default 1s)", HelpName = "1s" };

    /// <summary>In help order.</summary>
    public IEnumerable<Option> All => [Number, Interval];

    /// <summary>How many looks, how far apart; null for one look.</summary>
    /// <exception cref="UsageException">It is not a time, or there is one look.</exception>
    public LookPlan? Plan(ParseResult parsed)
    {
        int count = parsed.GetValue(Number) ?? 1;
        if (parsed.GetValue(Interval) is not { } text)
            return count > 1 ? new(count, DefaultInterval) : null;
        return count > 1 ? new(count, Duration("--interval", text)) : throw new UsageException("--interval is the time between two looks, and there is one", "add --looks 2");
    }

    /// <summary><c>--looks N</c>.</summary>
    public static Option<int?> NumberOption(string description)
        => new("--looks") { Description = description, HelpName = "N", CustomParser = result => Numbers.Positive(result, "--looks") };

    /// <summary>Reads <c>500ms</c>, <c>30s</c>, <c>2m</c>, or seconds.</summary>
    /// <exception cref="UsageException">It is not a time.</exception>
    public static TimeSpan Duration(string option, string text)
    {
        (string digits, double seconds) = text switch
        {
            [.. string ms, 'm', 's'] => (ms, 0.001),
            [.. string s, 's'] => (s, 1),
            [.. string m, 'm'] => (m, 60),
            _ => (text, 1),
        };
        return double.TryParse(digits, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double number) && number * seconds is > 0 and <= 86400
            ? TimeSpan.FromSeconds(number * seconds)
            : throw new UsageException($"{option}: '{text}' is not a time", "type for example 30s, 500ms or 2m");
    }

    /// <summary>Reads a snapshot, or a target once or several times.</summary>
    /// <param name="session">The run.</param>
    /// <param name="target">The user's TARGET, which may be a snapshot.</param>
    /// <param name="open">Opens any other target.</param>
    /// <param name="opening">How.</param>
    /// <param name="analysis">What to read, and which stacks to show.</param>
    /// <param name="plan">How many looks; null for one.</param>
    /// <param name="option">By which the user asked for several.</param>
    /// <exception cref="UsageException">Several looks at a file.</exception>
    public static StackView Take(
        ToolSession session, string target, Func<TargetOptions, Target> open, TargetOptions opening, AnalysisOptions analysis, LookPlan? plan, string option = "--looks")
    {
        Check(target, plan, option);
        if (StackReport.IsSnapshot(target))
            return SnapshotFile.Read(target).Ask(analysis, session.Cancellation);
        if (plan is null)
            return StackReport.Read(session, open, opening, analysis);
        (AsyncModel? earlier, StackView? cut) = Before(session, open, opening, analysis, plan);
        return cut ?? StackReport.Read(session, open, opening, analysis with { Earlier = earlier });
    }

    /// <summary>All looks but the last, for what the last one is told of them.</summary>
    /// <returns>The last of these, which knows those before it; and what it saw, if it is all that there is time for.</returns>
    public static (AsyncModel? Earlier, StackView? Cut) Before(ToolSession session, Func<TargetOptions, Target> open, TargetOptions opening, AnalysisOptions analysis, LookPlan plan)
    {
        // What is said of earlier looks is where things stood: no variables, and no search for what nothing can reach.
        AnalysisOptions brief = analysis with { Locals = false, Deep = false };
        for (int look = 1; look < plan.Count; look++)
        {
            (StackView view, AsyncModel earlier) = StackReport.Look(session, open, opening, brief);
            brief = brief with { Earlier = earlier };
            if (session.Cancellation.WaitHandle.WaitOne(plan.Pause))
                return (earlier, view);
        }
        return (brief.Earlier, null);
    }

    /// <summary>Before much time is spent on a file.</summary>
    /// <exception cref="UsageException">Several looks at a file.</exception>
    public static void Check(string target, LookPlan? plan, string option = "--looks")
    {
        if (plan is not null && File.Exists(target))
            throw new UsageException($"{option} needs a process: a file does not move", "leave it out for dumps and snapshots");
    }
}

/// <summary>Several looks at a process.</summary>
/// <param name="Count">How many, from two on.</param>
/// <param name="Pause">Time between two of them.</param>
internal sealed record LookPlan(int Count, TimeSpan Pause);
