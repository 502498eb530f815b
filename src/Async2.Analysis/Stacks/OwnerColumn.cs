using Async2.Analysis.Code.Modules;
using Async2.Analysis.Holders;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Nodes;
using Async2.Analysis.Stacks.Frames;
using Async2.Analysis.Threads;

namespace Async2.Analysis.Stacks;

/// <summary>Locks for which threads block, and whose owners have no method on their stacks that would release them.</summary>
internal sealed class OwnerColumn(StackInput input, AsyncGraph graph, SuspendedFrames frames, FrameTable table, HolderReader reader)
{
    private readonly LockExits _exits = reader.LockExits();
    private readonly Dictionary<int, bool> _mayExit = [];
    private bool? _anySuspended;

    /// <summary>The reasons, with what was found.</summary>
    public IReadOnlyDictionary<int, WaitReason> Read(IReadOnlyDictionary<int, WaitReason> blocked)
        => !blocked.Values.Any(IsOwned) ? blocked : blocked.ToDictionary(pair => pair.Key, pair => IsOwned(pair.Value) && IsLeft(pair.Value.Owner!.Value) && !IsOfFramework(pair.Value)
            ? pair.Value with { Shared = pair.Value.Shared.Add(new(WaitFactKey.NotReleasedBy, pair.Value.Owner.Value)) } : pair.Value);

    // What readers hold has many owners, and a monitor's waiter for a pulse has none.
    private static bool IsOwned(WaitReason reason) => reason is { Kind: WaitKind.Lock, Resource: not 0, Owner: not null } && reason.Subject != "Monitor.Wait" && reason.Holders.Length <= 1;

    private bool IsLeft(int thread)
    {
        if (!_mayExit.TryGetValue(thread, out bool may))
        {
            ThreadSegment[] all = [.. input.Segments.Where(segment => segment.ThreadId == thread)];
            // Without frames it is not known what it does.
            _mayExit[thread] = may = !all.Any(segment => segment.Frames.Count > 0) || all.Any(segment => segment.Frames.Any(frame => MayExit(frame, !segment.IsBlocked))) || (_anySuspended ??= AnySuspended());
        }
        return !may;
    }

    // The frames in which a thread blocks are not among the segment's.
    private bool IsOfFramework(WaitReason reason)
        => _exits.IsOfFramework(reason.Resource, input.Segments.Where(segment => segment.ThreadId == reason.Owner).SelectMany(segment => segment.Roots));

    private bool MayExit(ThreadFrame frame, bool runs)
        => frame.Method is not { Facts: { } facts } || _exits.MayExit(new ModuleMethod(frame.Method.Module, facts), table.CallsOf(table.IdOf(frame), frame, reader), frame.Called, runs);

    // It may go on in the thread that owns the lock.
    private bool AnySuspended()
    {
        HashSet<int> places = [];
        for (int node = 0; node < graph.Operations; node++)
        {
            NodeRow row = input.Index.Nodes[node];
            if (!row.IsChain && row.Kind is NodeKind.Machine or NodeKind.Pooled)
                places.Add(table.IdOf(row));
            places.UnionWith(frames.Of(node).Select(frame => frame.Place));
        }
        return places.Any(place => (table[place].Machine is { MoveNext: { Module.IsFramework: false } machine } && _exits.MayExit(machine, [], null)) || (table[place].Point.Method is { IsUserBody: true, Facts: { } facts } method && _exits.MayExit(new ModuleMethod(method.Module, facts), [], null)));
    }
}
