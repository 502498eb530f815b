using Async2.Analysis.Model;

namespace Async2.Analysis.Stacks.Frames;

/// <summary>
/// A stack before it becomes an object that is shown: an operation, and those that wait for it. Its frames are made when somebody
/// asks for them, since most stacks are like one that has been seen.
/// </summary>
/// <param name="expand">Pushes the frames of the parts.</param>
/// <param name="keepsFolded">Filters will look at the frames that are folded, too.</param>
internal sealed class StackDraft(Action<StackDraft> expand, bool keepsFolded)
{
    // A loop of a framework is not deeper below what it waits for.
    private const int InnermostLimit = 12;

    private readonly List<StackFrame> _frames = [];
    private readonly List<StackFrame> _innermost = [];
    private readonly List<StackFrame> _allFrames = [];
    private StackSignature _shape;
    private StackFrame _lastFolded;
    private bool _isLastPhysical;
    private bool _isExpanded;
    private int _folded;

    public List<StackPart> Parts { get; } = [];

    /// <summary>Equal for stacks that have the same frames; those of one stack may differ in it all the same.</summary>
    public (ulong A, ulong B, int Length) Shape => _shape.Value;

    public List<StackFrame> Frames
    {
        get
        {
            Expand();
            return _frames;
        }
    }

    /// <summary>The first few, shown or folded.</summary>
    public List<StackFrame> Innermost
    {
        get
        {
            Expand();
            return _innermost;
        }
    }

    /// <summary>The same with those that are folded, where they are kept.</summary>
    public List<StackFrame> AllFrames
    {
        get
        {
            Expand();
            return _allFrames;
        }
    }

    public StackState State { get; set; }

    /// <summary>What it waits for; the address may be another stack's: see <see cref="WaitAddress"/>.</summary>
    public WaitingOn? WaitingOn { get; set; }

    /// <summary>Address of what it waits for; 0 when not known.</summary>
    public ulong WaitAddress { get; set; }

    /// <summary>The node whose stack this one waits for; -1 for none.</summary>
    public int WaitsForNode { get; set; } = -1;

    /// <summary>That node does not complete what this one waits for: its thread has to let go of it.</summary>
    public bool IsHeld { get; set; }

    /// <summary>The combinator that this one waits for; -1 for none.</summary>
    public int WaitsForCombinator { get; set; } = -1;

    public int? Thread { get; set; }

    /// <summary>Task of the outermost operation.</summary>
    public ulong Task { get; set; }

    /// <summary>Adds the next node, going outwards.</summary>
    /// <param name="part">The node.</param>
    /// <param name="shape">Equal for parts that have the same frames.</param>
    public void Add(StackPart part, int shape)
    {
        Parts.Add(part);
        _shape.Add(shape);
        _shape.Add((part.Skip << 2) | (part.IsAwaiting ? 2 : 0) | (part.RunsInHead ? 1 : 0));
        _shape.Add(part.Note);
    }

    /// <summary>Adds the next frame, going outwards; those of frameworks are only counted.</summary>
    /// <param name="frame">The frame.</param>
    /// <param name="isShown">It is the user's, or all are asked for.</param>
    /// <param name="isPhysical">It is a thread's.</param>
    public void Push(StackFrame frame, bool isShown, bool isPhysical)
    {
        if (keepsFolded)
            _allFrames.Add(frame);
        if (_innermost.Count < InnermostLimit)
            _innermost.Add(frame);
        if (isShown)
        {
            _frames.Add(frame with { Folded = _folded });
            _folded = 0;
            return;
        }
        _folded++;
        _lastFolded = frame;
        _isLastPhysical = isPhysical;
    }

    /// <summary>Makes room for so many more.</summary>
    public void Reserve(int count) => _frames.EnsureCapacity(_frames.Count + count);

    public void Clear()
    {
        _frames.Clear();
        _allFrames.Clear();
        _innermost.Clear();
        Parts.Clear();
        _shape = default;
        _isExpanded = false;
        _folded = 0;
        State = StackState.Awaiting;
        WaitingOn = null;
        WaitAddress = 0;
        WaitsForNode = -1;
        IsHeld = false;
        WaitsForCombinator = -1;
        Thread = null;
        Task = 0;
    }

    // A framework's operation that is the outermost says on whose behalf all runs, so it is shown; how a thread came to run this is
    // not, unless there is nothing else.
    private void Expand()
    {
        if (_isExpanded)
            return;
        _isExpanded = true;
        expand(this);
        if (_folded > 0 && (_frames.Count == 0 || !_isLastPhysical))
            _frames.Add(_lastFolded with { Folded = _folded - 1 });
        _folded = 0;
    }
}
