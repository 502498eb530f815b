namespace Async2.Analysis.Reachability;

/// <summary>How something that is waited for can be brought about.</summary>
internal enum GateKind
{
    /// <summary>By anything that reaches it: a semaphore, a channel, a pipe.</summary>
    Resource,

    /// <summary>In the same way: an event for which threads block, of which it was read that it is not set.</summary>
    Event,

    /// <summary>By what can complete a plain promise: its TaskCompletionSource.</summary>
    Promise,

    /// <summary>By so many tasks that have it as their continuation: Task.WhenAll.</summary>
    Combinator,
}

/// <summary>
/// A wait whose waiters can do nothing before it ends: what they alone refer to is out of everybody's reach until something else has
/// reached what they wait for.
/// </summary>
/// <param name="kind">How it ends.</param>
/// <param name="awaited">Address of what is waited for.</param>
internal sealed class WaitGate(GateKind kind, ulong awaited)
{
    private Addresses _entries, _waiters, _kept;
    private List<int>? _threads;

    /// <summary>How it ends.</summary>
    public GateKind Kind => kind;

    /// <summary>Anything that reaches it can end it.</summary>
    public bool IsForAnybody => kind is GateKind.Resource or GateKind.Event;

    /// <summary>Nothing can end it, not even who has it: it was disposed of.</summary>
    public bool IsShut { get; set; }

    /// <summary>It may have ended a moment ago, which only memory of the system tells: nothing may rest on it that is claimed of others.</summary>
    public bool IsDoubtful { get; set; }

    /// <summary>Address of what is waited for: the promise, the semaphore, the channel.</summary>
    public ulong Awaited => awaited;

    /// <summary>Tasks that have to complete.</summary>
    public int Needed { get; init; } = 1;

    /// <summary>
    /// What keeps the only reader of a full channel from reading it: before that has ended, nobody makes room, also if something has reached the channel. Null in all other cases.
    /// </summary>
    public WaitGate? After { get; set; }

    /// <summary>Other objects by which it can be ended: a waiter's entry in a queue, which a token's registration may know.</summary>
    public ReadOnlySpan<ulong> Entries => _entries.All;

    /// <summary>Objects of the waiting operations: their tasks, boxes, and innermost frames.</summary>
    public ReadOnlySpan<ulong> Waiters => _waiters.All;

    /// <summary>Objects that nobody but the waiting operations takes anything from: what is in their mailboxes.</summary>
    public ReadOnlySpan<ulong> Kept => _kept.All;

    /// <summary>Managed ids of threads that block for it: what only their stacks refer to is out of reach as well.</summary>
    public IReadOnlyList<int> Threads => _threads ?? (IReadOnlyList<int>)[];

    /// <summary>Adds a thread that blocks for it.</summary>
    public void AddThread(int managedId) => (_threads ??= []).Add(managedId);

    /// <summary>Adds an object that only the waiters take something from.</summary>
    public void AddKept(ulong address) => _kept.Add(address);

    /// <summary>Adds an object by which it can be ended.</summary>
    public void AddEntry(ulong address) => _entries.Add(address);

    /// <summary>Adds an object of an operation that waits.</summary>
    public void AddWaiter(ulong address) => _waiters.Add(address);

    // Nearly every wait has one or two, and there may be a million waits.
    private struct Addresses
    {
        private ulong[]? _items;
        private int _count;

        public readonly ReadOnlySpan<ulong> All => _items.AsSpan(0, _count);

        public void Add(ulong address)
        {
            if (_count > 0 && _items![_count - 1] == address)
                return;
            if (_count == (_items?.Length ?? 0))
                Array.Resize(ref _items, Math.Max(2, _count * 2));
            _items![_count++] = address;
        }
    }
}
