using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Reading;

/// <summary>What one awaited object says, and the object behind it that it stands for.</summary>
/// <param name="Reason">Null if the object says nothing about its own.</param>
/// <param name="Behind">0 for none.</param>
/// <param name="IsTransparent">What is behind speaks for both: a semaphore's own timeout is not a wait of its own.</param>
internal readonly record struct WaitStep(WaitReason? Reason, ulong Behind = 0, bool IsTransparent = false)
{
    /// <summary>ITimer that completes the object, at the latest; 0 for none.</summary>
    public ulong Timer { get; init; }
}

/// <summary>What was met on the way from an awaited object to what it stands for.</summary>
internal sealed class WaitTrail
{
    /// <summary>Addresses of timers that end the wait by themselves.</summary>
    public List<ulong> Timers { get; } = [];

    /// <summary>Address of the last object that others stand for; 0 if the awaited one stands for itself.</summary>
    public ulong End { get; set; }

    /// <summary>Forgets what was met.</summary>
    public void Clear()
    {
        Timers.Clear();
        End = 0;
    }
}

/// <summary>Reads one object of a type that a family knows.</summary>
internal delegate WaitStep WaitStepReader(ulong address);

/// <summary>Reads an object that a thread blocks on, by its address and the thread's managed id, which cannot wait for what it has itself; null for any other object.</summary>
internal delegate WaitReason? BlockingReader(HeapObject item, int thread);

/// <summary>Reads the objects of one family of waits in one target.</summary>
internal interface IWaitReader
{
    /// <summary>How to read awaited objects of a type; null if the type is not of this family. Asked once for each method table.</summary>
    WaitStepReader? ReaderOf(ClrType type) => null;

    /// <summary>How to read what threads block on in methods of a kind; null when this family has none of it.</summary>
    BlockingReader? ReaderOf(BlockingKind kind) => null;

    /// <summary>What is waited for by those who wait for a promise.</summary>
    /// <param name="owner">Who will complete the promise.</param>
    /// <param name="kind">What that is: one of the family's objects.</param>
    WaitReason? ReadOwner(HeapObject owner, LibraryObject kind) => null;
}

/// <summary>
/// A family of waits. Its file has everything about it: where its fields are, how they are read, what they mean, and the names of its
/// types. It is used if it is in the list of <c>WaitFamilies</c>.
/// </summary>
internal interface IWaitFamily<TSelf> : IWaitReader
    where TSelf : IWaitFamily<TSelf>
{
    /// <summary>Names of its types as a user knows them, newest first.</summary>
    static virtual IReadOnlyList<KnownWait> Names => [];

    /// <summary>Objects of libraries that know what a wait is about. Who waits does not point to them, so the walk over the heap notes them.</summary>
    static virtual IReadOnlyList<LibraryObject> Objects => [];

    /// <summary>Whether the walk over the heap notes objects of a type, because who waits for one does not point to it.</summary>
    static virtual bool IsResource(ClrType type, int pointerSize) => false;

    static abstract TSelf Open(WaitReaderContext all);
}
