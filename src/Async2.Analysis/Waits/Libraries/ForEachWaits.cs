using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;

namespace Async2.Analysis.Waits.Libraries;

/// <summary>Parallel.ForEachAsync and ForAsync, by the state that their bodies share (System.Threading.Tasks.Parallel 10.0.12).</summary>
internal sealed class ForEachWaits(WaitReaderContext all) : IWaitFamily<ForEachWaits>
{
    private const string Parallel = "System.Threading.Tasks.Parallel+";

    public static IReadOnlyList<LibraryObject> Objects { get; } =
    [
        new(Parallel + "SyncForEachAsyncState<", "_task"),
        new(Parallel + "AsyncForEachAsyncState<", "_task"),
        new(Parallel + "ForEachState<", "_task"), // Parallel.ForAsync
    ];

    public static ForEachWaits Open(WaitReaderContext all) => new(all);

    // Each running body counts as one reference.
    public WaitReason? ReadOwner(HeapObject owner, LibraryObject kind) => new(WaitKind.Task, "Parallel.ForEachAsync")
    {
        Shared = all.Fields.Int32(owner, "_completionRefCount") is > 0 and var bodies ? [new(WaitFactKey.Workers, bodies)] : [],
    };
}
