using Async2.Analysis.Code.Awaits;
using Async2.Analysis.Code.DebugInfo;
using Async2.Analysis.Code.Decoding;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Metadata.Awaits;
using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Code.Suspension;

/// <summary>All suspension points of one native body, decoded.</summary>
internal sealed class SuspensionBody
{
    private readonly NativeBody _body;
    private readonly Dictionary<uint, SuspensionBlock> _blocks = [];
    private readonly IReadOnlyList<AwaitSite> _sites;
    private readonly IReadOnlyList<(NativeAwait Await, AsyncMethod? Callee)> _awaits;
    private readonly Lazy<AwaitAssignment> _assignment;
    private readonly Dictionary<uint, int> _byState = [];
    private readonly bool _knowsStates;
    private readonly AsyncMethod?[] _calls;

    /// <param name="method">Whose body it is.</param>
    /// <param name="body">The body.</param>
    /// <param name="blocks">Its suspension blocks.</param>
    /// <param name="awaits">What was decoded, with the methods called.</param>
    /// <param name="sites">Awaits in IL.</param>
    /// <param name="assign">Matches the two.</param>
    /// <param name="loads">How often the code has the resume stub's address in it: each time is a block.</param>
    public SuspensionBody(
        AsyncMethod method, NativeBody body, IReadOnlyList<SuspensionBlock> blocks, IReadOnlyList<(NativeAwait Await, AsyncMethod? Callee)> awaits,
        IReadOnlyList<AwaitSite> sites, Func<IReadOnlyList<NativeAwait>, AwaitAssignment> assign, int loads = 0)
    {
        Method = method;
        _body = body;
        _awaits = awaits;
        _sites = sites;
        _calls = [.. awaits.Select(a => a.Callee)];
        _assignment = new(() => assign([.. awaits.Select(a => a.Await)]));
        foreach (SuspensionBlock block in blocks)
            _blocks.TryAdd(block.State, block);
        _knowsStates = blocks.Count > 0 && blocks.Count == loads;
        for (int i = 0; i < awaits.Count; i++)
            _byState.TryAdd(awaits[i].Await.State, i);
    }

    public AsyncMethod Method { get; }

    /// <summary>Address of the first instruction.</summary>
    public ulong Start => _body.Start;

    /// <summary>The point without its source line; exactness None when the state's code was not found.</summary>
    public SuspensionPoint PointOf(uint state)
    {
        var unknown = new SuspensionPoint { Method = Method, Body = _body, Block = _blocks.GetValueOrDefault(state) };
        if (_knowsStates && unknown.Block is null)
            return unknown with { IsImpossible = true };
        if (!_byState.TryGetValue(state, out int index))
            return WithoutCode(unknown);
        AwaitMatch match = _assignment.Value[index];
        List<int> neighbours = [.. _assignment.Value.Together(index)];
        return unknown with
        {
            Site = match.Site,
            Exactness = match.Exactness,
            CallTarget = _awaits[index].Callee,
            BodyCalls = _calls,
            Neighbours = [.. neighbours.Select(n => _awaits[n].Await.Callee)],
            Position = neighbours.IndexOf(index),
        };
    }

    // A method with a single await can only be there, decoder or not.
    private SuspensionPoint WithoutCode(SuspensionPoint unknown) => _sites.Count switch
    {
        0 => unknown,
        1 => unknown with { Site = _sites[0], Exactness = Exactness.Exact },
        _ => unknown with { Site = _sites[0], Exactness = Exactness.Approximate },
    };
}
