namespace Async2.Analysis.Stacks;

/// <summary>One frame of a stack that is being put together.</summary>
/// <param name="Id">In the frame table.</param>
/// <param name="Address">Of the object behind it; 0 for none.</param>
/// <param name="Folded">Frames of frameworks that it called and that are not shown.</param>
internal readonly record struct StackFrame(int Id, ulong Address, int Folded = 0);

/// <summary>A stack before it becomes an object that is shown: an operation, and those that wait for it.</summary>
internal sealed class StackDraft
{
    private StackFrame _lastFolded;
    private bool _isLastPhysical;
    private int _folded;

    public List<StackFrame> Frames { get; } = [];

    /// <summary>The same with those that are folded: what filters look at.</summary>
    public List<StackFrame> AllFrames { get; } = [];

    /// <summary>The nodes it is made of.</summary>
    public List<int> Nodes { get; } = [];

    public StackState State { get; set; }

    public WaitingOn? WaitingOn { get; set; }

    /// <summary>The node whose stack this one waits for; -1 for none.</summary>
    public int WaitsForNode { get; set; } = -1;

    /// <summary>The combinator that this one waits for; -1 for none.</summary>
    public int WaitsForCombinator { get; set; } = -1;

    public int? Thread { get; set; }

    /// <summary>Task of the outermost operation.</summary>
    public ulong Task { get; set; }

    /// <summary>Adds the next frame, going outwards; those of frameworks are only counted.</summary>
    /// <param name="frame">The frame.</param>
    /// <param name="isShown">It is the user's, or all are asked for.</param>
    /// <param name="isPhysical">It is a thread's.</param>
    public void Push(StackFrame frame, bool isShown, bool isPhysical)
    {
        AllFrames.Add(frame);
        if (isShown)
        {
            Frames.Add(frame with { Folded = _folded });
            _folded = 0;
            return;
        }
        _folded++;
        _lastFolded = frame;
        _isLastPhysical = isPhysical;
    }

    /// <summary>
    /// Ends the stack. A framework's operation that is the outermost says on whose behalf all runs, so it is shown; how a thread
    /// came to run this is not, unless there is nothing else.
    /// </summary>
    public void Close()
    {
        if (_folded > 0 && (Frames.Count == 0 || !_isLastPhysical))
            Frames.Add(_lastFolded with { Folded = _folded - 1 });
        _folded = 0;
    }

    public void Clear()
    {
        Frames.Clear();
        AllFrames.Clear();
        Nodes.Clear();
        _folded = 0;
        State = StackState.Awaiting;
        WaitingOn = null;
        WaitsForNode = -1;
        WaitsForCombinator = -1;
        Thread = null;
        Task = 0;
    }
}
