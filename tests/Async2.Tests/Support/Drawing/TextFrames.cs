using System.Globalization;
using Async2.Analysis.Code.Suspension;
using Async2.Analysis.Layouts;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Nodes;
using Async2.Analysis.Threads;

namespace Async2.Tests.Support.Drawing;

/// <summary>The code behind a <see cref="TextHeap"/>: each distinct frame text is a native body with one suspension point.</summary>
internal sealed class TextFrames : DrawnFrames
{
    private const uint State = 3;

    private readonly Dictionary<string, ulong> _resumes = [];
    private readonly Dictionary<ulong, string> _texts = [];
    private readonly Dictionary<SuspensionPoint, string> _points = new(ReferenceEqualityComparer.Instance);

    public Action OnFrame { get; set; } = () => { };

    public override (LogicalFrame Frame, FrameOrigin Origin) Show(SuspensionPoint point, ulong context) => Show(_points[point], FrameKind.Continuation);

    public override StateMachinePoint StateMachineAt(in NodeRow row) => new() { RuntimeTypeName = _texts[row.MethodTable] };

    public override (LogicalFrame Frame, FrameOrigin Origin) ShowStateMachine(StateMachinePoint point, NodeKind kind) => Show(point.RuntimeTypeName!, FrameKind.StateMachine);

    public override (LogicalFrame Frame, FrameOrigin Origin) ShowThread(ThreadFrame physical) => Show(_texts[physical.InstructionPointer], FrameKind.Thread);

    /// <summary>Stands for a text: a method table, or an instruction pointer.</summary>
    public ulong KeyOf(string text)
    {
        if (!_resumes.TryGetValue(text, out ulong key))
        {
            _resumes[text] = key = 0x7f0000000000 + ((ulong)_resumes.Count * 0x20);
            _texts[key] = text;
        }
        return key;
    }

    public ThreadSegment Segment(int thread, IEnumerable<string> frames) => new()
    {
        ThreadId = thread,
        Frames = [.. frames.Select(text => new ThreadFrame(KeyOf(text), false, null!))],
        IsPlain = true,
    };

    public ContinuationRow Row(ulong address, string text, ulong next)
    {
        // What it saved is named by its own address.
        return new(address, next, new(KeyOf(text), State), 0, address);
    }

    public IReadOnlyList<LogicalFrame> ElidedBelow(SuspensionPoint caller)
        => [.. _points[caller].Split('+').Skip(1).Reverse().Select(text => FrameOf(text) with { Kind = FrameKind.Elided })];

    public override SuspensionPoint PointAt(Site site)
    {
        OnFrame();
        Assert.Equal(State, site.State);
        var point = new SuspensionPoint();
        _points.Add(point, _texts[site.Address]);
        return point;
    }

    private static (LogicalFrame Frame, FrameOrigin Origin) Show(string text, FrameKind kind)
    {
        FrameOrigin origin = text[0] switch { '[' => FrameOrigin.Runtime, '{' => FrameOrigin.Framework, _ => FrameOrigin.User };
        return (FrameOf(MethodIn(text.Trim('{', '}'))) with { Kind = kind }, origin);
    }

    private static string MethodIn(string text) => text.Split('+')[0].Split('@')[0];

    private static LogicalFrame FrameOf(string text)
    {
        string[] parts = text.Split(':');
        return new LogicalFrame
        {
            Kind = FrameKind.Continuation,
            Method = parts[0],
            Module = parts[0].Split('.')[0].Trim('[', '{') + ".dll",
            File = parts.Length > 1 ? $"/src/{parts[0].Split('.')[^1]}.cs" : null,
            Line = parts.Length > 1 ? int.Parse(parts[1], CultureInfo.InvariantCulture) : null,
            Exactness = parts.Length > 1 ? Exactness.Exact : Exactness.None,
        };
    }
}
