using Async2.Analysis.Code.Modules;
using Async2.Analysis.Holders.Flow;
using Async2.Analysis.Model;

namespace Async2.Analysis.Holders;

/// <summary>
/// Full BlockingCollections for which threads block: who takes something out of them, as far as code tells. Nobody else makes room if there is only one (decision 50).
/// </summary>
internal sealed class Takers
{
    private readonly HashSet<(LoadedModule Module, int Token)> _known = [];
    private readonly Dictionary<ulong, List<(int Node, int Place)>> _takers = [];
    private readonly HashSet<ulong> _full = [];
    private readonly Mailboxes _mailboxes;
    private readonly HolderReader _reader;
    private IReadOnlySet<ulong> _lost = new HashSet<ulong>();
    private bool _isUnknown, _isCut;

    /// <param name="reader">Reads code.</param>
    public Takers(HolderReader reader) => (_reader, _mailboxes) = (reader, reader.Mailboxes());

    /// <summary>A thread blocks because a collection has no room.</summary>
    public static bool Counts(WaitReason reason) => reason is { Kind: WaitKind.Channel, Subject: "BlockingCollection", Resource: not 0 } && reason.Shared.Any(fact => fact is { Key: WaitFactKey.Items, Of: { } all } && fact.Number >= all);

    /// <summary>Notes the collections for which threads block.</summary>
    /// <param name="blocked">Why they do.</param>
    /// <param name="lost">Collections that nobody has but who waits for them.</param>
    public void Expect(IEnumerable<WaitReason> blocked, IReadOnlySet<ulong> lost)
    {
        _full.UnionWith(blocked.Where(Counts).Select(reason => reason.Resource));
        _lost = lost;
    }

    /// <summary>Not all have been asked: nothing is known.</summary>
    public void Cut() => _isCut = true;

    /// <summary>Notes what a frame will take out.</summary>
    /// <param name="node">Number of its operation or thread segment.</param>
    /// <param name="place">Number of its place.</param>
    /// <param name="used">What it uses, given what objects stand for.</param>
    /// <param name="users">Methods that use something in a way, among its own and those that it calls.</param>
    public void Add(int node, int place, Func<FrameUse, Func<ulong, ulong>, IEnumerable<ulong>> used, Func<FrameUse, IEnumerable<ModuleMethod>> users)
    {
        if (_full.Count == 0)
            return;
        ModuleMethod[] methods = [.. users(FrameUse.Takes)];
        _known.UnionWith(methods.Select(method => method.Key));
        foreach (FrameUse use in methods.Length == 0 ? [] : (FrameUse[])[FrameUse.Takes, FrameUse.Shares])
        {
            foreach (ulong item in used(use, held => _mailboxes.StandsFor(use, held)).Distinct())
                Note(node, place, _mailboxes.StandsFor(use, item), use);
        }
    }

    private void Note(int node, int place, ulong collection, FrameUse use)
    {
        _isUnknown |= collection == 0;
        if (!_full.Contains(collection))
            return;
        if (!_takers.TryGetValue(collection, out List<(int Node, int Place)>? takers))
            _takers[collection] = takers = [];
        if (use == FrameUse.Shares)
            // It does so for any number of others.
            takers.AddRange([(node, place), (-1, place)]);
        else if (!takers.Exists(taker => taker.Node == node))
            takers.Add((node, place));
    }

    /// <summary>With those collections out of which nobody takes anything any more, as far as code tells.</summary>
    public HolderFacts AddTo(HolderFacts holders)
    {
        ulong[] left = _isCut || _isUnknown ? [] : [.. _full.Where(collection => !_takers.ContainsKey(collection))];
        return left.Length == 0 || _reader.LateSignals(FrameUse.Takes, new Dictionary<(LoadedModule, int), int>()).MayCome ? holders
            : new(holders.Rows, [.. holders.Locks.Concat(left.Select(collection => new LockRow(collection, 1, 0, LockUse.GivenBack, false))).OrderBy(row => row.Lock)], holders.Undecided);
    }

    /// <summary>Who makes room in them.</summary>
    public IEnumerable<ReplyRow> Rows()
    {
        var others = new Lazy<OtherCode>(() => _reader.OtherCode(FrameUse.Takes, _known));
        foreach ((ulong collection, List<(int Node, int Place)> takers) in _isCut ? [] : _takers.OrderBy(pair => pair.Key).AsEnumerable())
        {
            if (takers is [var (node, place)])
                yield return new(collection, node, place, collection, !_lost.Contains(collection) && (_isUnknown || others.Value.MayUse(collection)) ? Confidence.Possible : Confidence.Likely);
        }
    }
}
