using Async2.Analysis.Holders.Flow;
using Async2.Analysis.Holders.Kept;
using Async2.Analysis.Model;
using Symbol = Async2.Analysis.Holders.Flow.Symbol;

namespace Async2.Analysis.Holders;

/// <summary>What the code of one frame says, about the objects that it stands for in that frame.</summary>
/// <param name="releasers">Know what is released when a value is disposed.</param>
/// <param name="iterators">Know what an iterator holds between two elements.</param>
/// <param name="flow">What the code does.</param>
/// <param name="values">What the frame kept.</param>
internal sealed class ClaimReader(Releasers releasers, HeldIterators iterators, AwaitFlow flow, SymbolValues values)
{
    private readonly Dictionary<ulong, bool> _waiting = [];
    private readonly HashSet<ulong> _owed = [], _taken = [], _always = [];
    private bool _isWhole = flow.After.IsWhole;

    /// <param name="waitsFor">The lock for which the frame's operation waits in the end; 0 for none.</param>
    public FrameClaims Read(ulong waitsFor)
    {
        bool isEntering = IsEntering(waitsFor);
        foreach ((string key, Symbol symbol) in flow.After.Waiting)
        {
            ulong found = values.ObjectOf(symbol) is not 0 and var known ? known : flow.After.Waiting.Count == 1 ? waitsFor : 0;
            // A method that will not touch the lock again has not kept it.
            _waiting[found] = flow.After.GivenBack.Contains(key) || (isEntering && found == waitsFor);
        }
        // A call that waits for it gives something that is disposed.
        if (flow.After.Waiting.Count == 0 && (isEntering || (waitsFor != 0 && flow.After.Pending is { } pending && flow.After.Disposed.ContainsKey(pending))))
            _waiting[waitsFor] = true;
        foreach (Symbol symbol in flow.Owed.Where(symbol => !flow.After.Waiting.ContainsKey(symbol.Key)))
            _owed.Add(LockOf(symbol));
        foreach (Symbol symbol in flow.Disposed)
            Dispose(symbol);
        foreach ((string key, TakenLock row) in flow.Before.May)
        {
            ulong found = LockOf(row.Lock);
            _taken.Add(found);
            if (flow.Before.Must.ContainsKey(key))
                _always.Add(found);
        }
        // What it has taken and will release when it disposes of something, it has, whatever the call takes in which it waits.
        foreach (ulong found in _owed.Where(found => _taken.Contains(found) && _waiting.ContainsKey(found)))
            _waiting[found] = true;
        IEnumerable<LockClaim> holds = _owed.Union(_taken).Where(IsHeld).Select(found => new LockClaim(found, ClassOf(found), _waiting.ContainsKey(found)));
        return new FrameClaims([.. holds, .. _waiting.Where(wait => wait.Key != 0).Select(wait => new LockClaim(wait.Key, null, wait.Value))], _isWhole && !_owed.Contains(0));
    }

    // It waits in a call on what it disposes of, for the lock that this releases: it is about to enter, and the rest is the way out.
    private bool IsEntering(ulong waitsFor)
        => waitsFor != 0 && flow.After.Awaited is { Kind: SymbolKind.Call } call
            && call.Parts.Any(part => flow.After.Disposed.TryGetValue(part.Key, out Symbol? entered) && values.FieldsOf(entered) is { } fields && releasers.ReleasedBy(fields).Contains(waitsFor));

    // A lock that was found by a key is known by what releases it, and a channel that lends by who goes back to it.
    private ulong LockOf(Symbol symbol)
    {
        if (values.ObjectOf(symbol) is not 0 and var known)
            return known;
        if (flow.Before.May.GetValueOrDefault(symbol.Key) is not { } row || !flow.After.Disposed.TryGetValue(row.Releaser, out Symbol? releaser) || values.FieldsOf(releaser) is not { } fields)
            return 0;
        return (symbol.Kind == SymbolKind.Lent ? releasers.GivesTo(fields) : releasers.ReleasedBy(fields)).ToArray() is [var only] ? only : 0;
    }

    private void Dispose(Symbol symbol)
    {
        if (values.FieldsOf(symbol) is { } disposed)
        {
            _owed.UnionWith(releasers.ReleasedBy(disposed));
            _owed.UnionWith(iterators.HeldBy(disposed));
        }
        // What stands in a field only later, it does not have now.
        else if (flow.After.MayRelease.Contains(symbol.Key) && !values.IsNull(symbol) && !IsMadeLater(symbol))
        {
            _isWhole = false;
        }
    }

    // Where it waits for a lock, what it opens after that is not there yet. Elsewhere that may be what gives back a lock which it has taken in a way that is not known.
    private bool IsMadeLater(Symbol symbol)
        => flow.After.Waiting.Count > 0 && symbol.Kind is SymbolKind.New or SymbolKind.Call or SymbolKind.Awaited && !flow.Before.Knows(symbol);

    // Who waits for a lock does not hold it, unless it has taken it before, and gives it back: a second permit, or one that it waits for in vain.
    private bool IsHeld(ulong found) => found != 0 && (!_waiting.TryGetValue(found, out bool givesBack) || (givesBack && _taken.Contains(found)));

    private HolderClass ClassOf(ulong found)
        => !_owed.Contains(found) && !_waiting.ContainsKey(found) ? HolderClass.Kept
            : _always.Contains(found) ? HolderClass.Always
            : _taken.Contains(found) ? HolderClass.Sometimes
            : HolderClass.Owed;
}
