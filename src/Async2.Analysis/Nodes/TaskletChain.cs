using System.Runtime.InteropServices;

namespace Async2.Analysis.Nodes;

/// <summary>What a chain of tasklets is doing.</summary>
internal enum TaskletState
{
    /// <summary>It awaits something.</summary>
    Suspended,

    /// <summary>It executes: what is captured are the callers of what runs.</summary>
    Running,

    /// <summary>Nothing on the heap owns it: its owner was collected, or an exception left it behind.</summary>
    Orphan,

    /// <summary>The same, and it is marked as executing: an exception left it behind, or a thread runs its outermost method.</summary>
    Abandoned,
}

/// <summary>One chain of tasklets.</summary>
/// <param name="Owner">Object on the heap that owns it; 0 of an orphan.</param>
/// <param name="Innermost">Its first tasklet.</param>
/// <param name="Outermost">The last one that could be read.</param>
/// <param name="State">What it is doing.</param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct TaskletChain(ulong Owner, ulong Innermost, ulong Outermost, TaskletState State);
