namespace Async2.Analysis.Stacks;

/// <summary>One frame of a stack that is being put together.</summary>
/// <param name="Id">In the frame table.</param>
/// <param name="Address">Of the object behind it; 0 for none.</param>
internal readonly record struct StackFrame(int Id, ulong Address);

/// <summary>A stack before it becomes an object that is shown: a chain, and the chains that wait for it.</summary>
internal sealed class StackDraft
{
    public List<StackFrame> Frames { get; } = [];

    /// <summary>Positions of the chains it is made of.</summary>
    public List<int> Chains { get; } = [];

    public StackState State { get; set; }

    public WaitingOn? WaitingOn { get; set; }

    /// <summary>Position of the chain whose stack this one waits for; -1 for none.</summary>
    public int WaitsForChain { get; set; } = -1;

    public int? Thread { get; set; }

    /// <summary>Task of the outermost chain.</summary>
    public ulong Task { get; set; }

    public void Clear()
    {
        Frames.Clear();
        Chains.Clear();
        State = StackState.Awaiting;
        WaitingOn = null;
        WaitsForChain = -1;
        Thread = null;
        Task = 0;
    }
}
