using System.Runtime.InteropServices;

namespace Async2.Analysis.Nodes;

/// <summary>What an operation is doing, as far as its own object says.</summary>
internal enum OperationState
{
    /// <summary>It awaits something.</summary>
    Suspended,

    /// <summary>It executes: the chain has only the callers of the running method.</summary>
    Running,

    /// <summary>Nothing on the heap owns it: its owner was collected, or an exception left it behind.</summary>
    Orphan,

    /// <summary>The same, and it is marked as executing: an exception left it behind, or a thread runs its outermost method.</summary>
    Abandoned,
}

/// <summary>A chain of frames that are not on the heap, and who owns it.</summary>
/// <param name="Owner">Object on the heap that owns it; 0 of an orphan.</param>
/// <param name="Innermost">Its first frame.</param>
/// <param name="Outermost">The last one that could be read.</param>
/// <param name="State">What it is doing.</param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct OwnedChain(ulong Owner, ulong Innermost, ulong Outermost, OperationState State);
