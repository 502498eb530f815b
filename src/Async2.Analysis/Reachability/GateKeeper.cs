namespace Async2.Analysis.Reachability;

/// <summary>
/// Keeps waiters back while the heap is marked, until what they wait for was reached by another way. Any number of threads may call.
/// </summary>
/// <param name="shapes">Types of objects.</param>
/// <param name="heap">Has a mark for each waiter: there may be millions.</param>
internal sealed class GateKeeper(ObjectShapes shapes, MarkHeap heap)
{
    private readonly Dictionary<ulong, Entry> _entries = [];
    private readonly List<Gate> _gates = [];
    private readonly Dictionary<WaitGate, Gate> _byWait = [];
    // Channels that were reached, by what keeps their only readers from reading them.
    private readonly Dictionary<Gate, List<Gate>> _followers = [];
    private readonly object _changing = new();
    // Gates that have opened, and whose waiters were not let go yet.
    private readonly List<Gate> _opened = [];
    private bool _isFree;

    /// <summary>All waiters are followed.</summary>
    public bool IsForced { get; private set; }

    /// <summary>Some have mailboxes.</summary>
    public bool HasKept { get; private set; }

    /// <summary>How many waits are watched.</summary>
    public int Count => _gates.Count;

    /// <summary>Adds a wait.</summary>
    public void Add(WaitGate wait)
    {
        var gate = new Gate(wait) { Missing = wait.Needed };
        _gates.Add(gate);
        _byWait[wait] = gate;
        HasKept |= wait.After is not null;
        foreach (ulong key in wait.Entries)
            AddEnd(key, gate);
        AddEnd(wait.Awaited, gate);
        foreach (ulong kept in wait.Kept)
            (EntryOf(kept).KeptBy, HasKept) = (gate, true);
        // A promise that is known and cannot be completed makes nobody go on, and what waits for several is only a waiter itself.
        if (!wait.IsForAnybody)
            EntryOf(wait.Awaited).Holds ??= gate;
    }

    private void AddEnd(ulong key, Gate gate)
    {
        if (key == 0)
            return;
        Entry entry = EntryOf(key);
        // What ends two waits is not understood: neither is claimed.
        if (entry.Ends is { } other && other != gate)
            other.IsOpen = gate.IsOpen = true;
        entry.Ends = gate;
    }

    /// <summary>Marks all that is watched, when all waits were added. A waiter of two waits is let go with the first of them.</summary>
    public void Watch()
    {
        foreach (ulong address in _entries.Keys)
            heap.Mark(address, MarkSegment.Watched);
        foreach (Gate gate in _gates)
        {
            foreach (ulong waiter in gate.Wait.Waiters)
            {
                // A combinator that waits for itself is kept by what is known of its address.
                if (waiter != gate.Wait.Awaited || gate.Wait.IsForAnybody)
                    heap.Mark(waiter, MarkSegment.Held);
            }
            if (gate.IsOpen)
                _opened.Add(gate);
        }
    }

    /// <summary>Keeps back what the stacks of threads refer to that block for a wait.</summary>
    /// <param name="wait">The wait.</param>
    /// <param name="roots">Addresses of objects.</param>
    public void Hold(WaitGate wait, IEnumerable<ulong> roots) => (_byWait[wait].Stacks ??= []).AddRange(roots);

    /// <summary>Lets the waiters go whose waits have ended. No other thread may mark meanwhile.</summary>
    /// <returns>Those of them that were reached: they are to be followed now. And what the stacks of threads refer to that go on.</returns>
    public (List<ulong> Reached, List<ulong> Roots) LetGo()
    {
        List<ulong> found = [], roots = [];
        foreach (Gate gate in _opened)
        {
            heap.AddHeld(gate.Wait.Waiters, release: true, found);
            roots.AddRange(gate.Stacks ?? []);
        }
        _opened.Clear();
        return (found, roots);
    }

    /// <summary>A reference from whose reaching another object follows: a dependent handle's.</summary>
    public void AddDependent(ulong primary, ulong secondary) => (EntryOf(primary).Dependents ??= []).Add(secondary);

    /// <summary>Called for each reference to a watched object.</summary>
    /// <param name="source">Method table of the object that refers to it; 0 for a root.</param>
    /// <param name="address">The watched object.</param>
    /// <param name="isFirst">It was not reached before.</param>
    /// <param name="isHeld">It is a waiter.</param>
    /// <param name="released">Receives objects that are to be followed now; none of them was.</param>
    /// <param name="reached">Receives objects that are reached by this.</param>
    /// <returns>Further references to it matter, too.</returns>
    public bool Reach(ulong source, ulong address, bool isFirst, bool isHeld, List<ulong> released, List<ulong> reached)
    {
        lock (_changing)
        {
            if (!_entries.TryGetValue(address, out Entry? entry))
            {
                if (isFirst && (!isHeld || IsForced))
                    released.Add(address);
                return false;
            }
            if (isFirst && entry.Dependents is { } dependents)
                reached.AddRange(dependents);
            if (entry.Ends is { } ends && Counts(ends, source))
                Open(ends, released);
            if (isFirst && entry.Holds is { IsOpen: false } gate && !IsForced)
                (gate.Held ??= []).Add(address);
            else if (isFirst && isHeld && !IsForced)
                return entry.Ends is { IsOpen: false };
            else if (isFirst && entry.KeptBy is { IsOpen: false } reader && !_isFree)
                (reader.Kept ??= []).Add(address);
            else if (isFirst)
                released.Add(address);
            return entry.Ends is { IsOpen: false };
        }
    }

    /// <summary>Lets go what only waiters would take out of their mailboxes: from now on anybody may who has reached these.</summary>
    public List<ulong> Free()
    {
        _isFree = true;
        List<ulong> kept = [.. _gates.SelectMany(gate => gate.Kept ?? [])];
        foreach (Gate gate in _gates)
            gate.Kept = null;
        foreach (Gate gate in _followers.Values.SelectMany(gates => gates))
            Open(gate, kept);
        return kept;
    }

    /// <summary>Ends the waits of which it is not known that they have not ended just now.</summary>
    public void OpenDoubtful()
    {
        var none = new List<ulong>();
        foreach (Gate gate in _gates.Where(gate => gate.Wait.IsDoubtful))
            Open(gate, none);
    }

    /// <summary>Lets all waiters go that were reached, to see what is alive. What opens a gate from now on does not.</summary>
    /// <returns>Them, and what the stacks of threads refer to.</returns>
    public (List<ulong> Released, List<ulong> Roots) Force()
    {
        IsForced = true;
        List<ulong> released = [], roots = [];
        foreach (Gate gate in _gates)
        {
            gate.MissingBefore = gate.Missing;
            released.AddRange(gate.Held ?? []);
            if (gate.IsOpen)
                continue;
            heap.AddHeld(gate.Wait.Waiters, release: false, released);
            roots.AddRange(gate.Stacks ?? []);
        }
        return (released, roots);
    }

    /// <summary>Takes back <see cref="Force"/>.</summary>
    public void Unforce()
    {
        IsForced = false;
        foreach (Gate gate in _gates)
            (gate.WasFed, gate.MissingAlive, gate.Missing) = (gate.WasFed || gate.Missing < gate.MissingBefore, gate.Missing, gate.MissingBefore);
    }

    /// <summary>Something has ended each wait. No other thread may mark meanwhile.</summary>
    public bool AreAllOpen => _gates.TrueForAll(gate => gate.IsOpen);

    /// <summary>Waits that nothing has ended so far.</summary>
    public IEnumerable<WaitGate> Shut => _gates.Where(gate => !gate.IsOpen).Select(gate => gate.Wait);

    /// <summary>Those that are, with whether something alive could end it if it went on, and how many tasks are missing even then.</summary>
    public IEnumerable<(WaitGate Wait, bool WasFed, int Missing)> Closed => _gates.Where(gate => !gate.IsOpen).Select(gate => (gate.Wait, gate.WasFed, gate.MissingAlive));

    private bool Counts(Gate gate, ulong source)
    {
        if (gate.Wait.IsShut)
            return false;
        // Who only waits for a promise, and is followed all the same, need not have what completes it.
        bool counts = (source == 0 && !IsForced) || gate.Wait.Kind switch
        {
            GateKind.Promise => shapes.MayComplete(source),
            GateKind.Combinator => shapes.IsSource(source),
            _ => true,
        };
        // Who has reached a full channel does not read it for that.
        if (counts && !_isFree && gate.Wait.After is { } before && _byWait.TryGetValue(before, out Gate? reader) && !reader.IsOpen)
        {
            if (!gate.WasReached)
                (_followers.TryGetValue(reader, out List<Gate>? followers) ? followers : _followers[reader] = []).Add(gate);
            gate.WasReached = true;
            return false;
        }
        if (counts)
            gate.Missing = source == 0 ? 0 : Math.Max(0, gate.Missing - 1);
        return counts && gate.Missing == 0;
    }

    private void Open(Gate gate, List<ulong> released)
    {
        if (gate.IsOpen || IsForced)
            return;
        var ahead = new Stack<Gate>([gate]);
        while (ahead.TryPop(out Gate? next))
        {
            next.IsOpen = true;
            _opened.Add(next);
            released.AddRange(next.Held ?? []);
            released.AddRange(next.Kept ?? []);
            next.Held = next.Kept = null;
            // Their channel is read again.
            foreach (Gate writers in _followers.GetValueOrDefault(next, []).Where(writers => !writers.IsOpen))
                ahead.Push(writers);
        }
    }

    private Entry EntryOf(ulong address)
    {
        if (!_entries.TryGetValue(address, out Entry? entry))
            _entries[address] = entry = new();
        return entry;
    }

    private sealed class Gate(WaitGate wait)
    {
        public WaitGate Wait { get; } = wait;

        public List<ulong>? Held { get; set; }

        /// <summary>What the stacks of its threads refer to.</summary>
        public List<ulong>? Stacks { get; set; }

        /// <summary>What it has in its mailbox, if that was reached.</summary>
        public List<ulong>? Kept { get; set; }

        public int Missing { get; set; }

        public int MissingBefore { get; set; }

        public int MissingAlive { get; set; }

        public bool WasFed { get; set; }

        /// <summary>Something has reached it that cannot end it before its reader goes on.</summary>
        public bool WasReached { get; set; }

        public bool IsOpen { get; set; }
    }

    private sealed class Entry
    {
        /// <summary>Reaching it ends this wait.</summary>
        public Gate? Ends { get; set; }

        /// <summary>It is what is waited for, and followed when this wait can end.</summary>
        public Gate? Holds { get; set; }

        /// <summary>It is followed when this wait can end, unless anybody may.</summary>
        public Gate? KeptBy { get; set; }

        public List<ulong>? Dependents { get; set; }
    }
}
