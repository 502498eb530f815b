using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Query;

namespace Async2.Tests.Support.Drawing;

/// <summary>
/// A snapshot drawn by hand. Frames are given innermost first, one text each: <c>Shop.Orders.PayAsync(int) | /src/Orders.cs:42</c>;
/// before the line may stand <c>~</c> (approximate), <c>?</c> (none) or <c>*</c> (order), and <c> | elided</c> or <c> | thread</c>
/// at the end.
/// </summary>
internal sealed class SnapshotDrawing
{
    private readonly List<LogicalStack> _stacks = [];
    private readonly List<Problem> _problems = [];
    private readonly List<Finding> _findings = [];
    private bool _complete = true;
    private SnapshotTotals? _all;
    private string _filter = "";

    public TargetFacts Target { get; set; } = new()
    {
        Kind = TargetKind.Dump,
        Path = "/dumps/shop.dmp",
        Pid = 4711,
        Os = "linux",
        Architecture = "x64",
        Runtime = "10.0.12",
        Families = ["runtime-async", "state-machine"],
    };

    public SnapshotDrawing Stack(long count, string? waitingOn, params string[] frames)
        => Stack(count, StackState.Awaiting, waitingOn is null ? null : new WaitingOn(WaitKind.Task, waitingOn, 0x7f3a00001000), frames);

    public SnapshotDrawing Stack(long count, StackState state, WaitingOn? waitingOn, params string[] frames)
    {
        _stacks.Add(new LogicalStack
        {
            Id = $"s{_stacks.Count + 1}",
            Count = count,
            State = state,
            WaitingOn = waitingOn,
            Frames = [.. frames.Select(Frame)],
        });
        return this;
    }

    /// <summary>Changes the last stack.</summary>
    public SnapshotDrawing With(Func<LogicalStack, LogicalStack> change)
    {
        _stacks[^1] = change(_stacks[^1]);
        return this;
    }

    /// <summary>Changes a frame of the last stack.</summary>
    public SnapshotDrawing WithFrame(int frame, Func<LogicalFrame, LogicalFrame> change)
        => With(stack => stack with { Frames = [.. stack.Frames.Select((f, i) => i == frame ? change(f) : f)] });

    /// <summary>Gives a frame of the last stack locals: <c>int id = 7</c>, or <c>id = 7</c> where the type is not known.</summary>
    public SnapshotDrawing Locals(int frame, params string[] locals) => WithFrame(frame, f => f with { Locals = [.. locals.Select(Local)] });

    /// <summary>Filters were given, and this is what they let through of so many.</summary>
    public SnapshotDrawing Of(long stacks, int groups, string filter)
    {
        _all = new SnapshotTotals(stacks, stacks * 3, groups);
        _filter = filter;
        return this;
    }

    public SnapshotDrawing Problem(string code, string text, ulong? address = null)
    {
        _problems.Add(new Problem(code, text, address));
        return this;
    }

    public SnapshotDrawing Finding(Severity severity, string rule, string text, params string[] stacks)
    {
        _findings.Add(new Finding(rule, severity, Confidence.Certain, text, [.. stacks]));
        return this;
    }

    public SnapshotDrawing Incomplete()
    {
        _complete = false;
        return this;
    }

    public StackView Snapshot() => new()
    {
        Target = Target,
        Totals = _all ?? Shown,
        Matching = _all is null ? null : new MatchingTotals(_filter, Shown),
        Stacks = [.. _stacks],
        Findings = [.. _findings],
        Problems = [.. _problems],
        Complete = _complete,
    };

    private SnapshotTotals Shown => new(_stacks.Sum(s => s.Count), _stacks.Sum(s => s.Count * s.Frames.Count), _stacks.Count)
    {
        Idle = _stacks.Where(s => s.Idle is not null).Sum(s => s.Count),
    };

    private static LocalValue Local(string drawing)
    {
        string[] sides = drawing.Split(" = ", 2);
        int space = sides[0].LastIndexOf(' ');
        return new LocalValue(sides[0][(space + 1)..], space < 0 ? null : sides[0][..space], sides[1]);
    }

    public static LogicalFrame Frame(string drawing)
    {
        string[] parts = drawing.Split(" | ");
        string place = parts.Length > 1 ? parts[1] : "";
        int colon = place.LastIndexOf(':');
        string line = colon < 0 ? "" : place[(colon + 1)..];
        return new LogicalFrame
        {
            Kind = parts[^1] switch { "elided" => FrameKind.Elided, "thread" => FrameKind.Thread, _ => FrameKind.Continuation },
            Method = parts[0],
            Module = "Shop.dll",
            File = colon < 0 ? null : place[..colon],
            Line = line.Length == 0 ? null : int.Parse(line.Trim('~', '?', '*')),
            Exactness = line.Length == 0 || line[0] == '?' ? Exactness.None
                : line[0] == '~' ? Exactness.Approximate
                : line[0] == '*' ? Exactness.Order : Exactness.Exact,
        };
    }
}
