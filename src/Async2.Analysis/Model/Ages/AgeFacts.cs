namespace Async2.Analysis.Model.Ages;

/// <summary>
/// What tells since when something waits: timers that were made for one wait, with the moment when they were. Ages are not stored: they follow
/// from these columns, from where objects lie between timers, and from generations (<see cref="GraphFacts.Generations"/>), when somebody asks.
/// </summary>
internal sealed record AgeFacts
{
    /// <summary>Nothing that has a time was found.</summary>
    public static AgeFacts None { get; } = new();

    /// <summary>
    /// The moment of the model by the target's <c>Environment.TickCount64</c>; 0 if nothing tells. In a dump the newest tick that was found, so that
    /// ages are those of that moment: a dump does not contain when it was written.
    /// </summary>
    public long Now { get; init; }

    /// <summary>Where <see cref="Now"/> comes from.</summary>
    public NowSource NowSource { get; init; }

    /// <summary>In which cell <see cref="Now"/> was found; null if the machine's clock said it, or nothing.</summary>
    public string? LastTickFrom => NowSource switch
    {
        NowSource.Timer => "timer",
        NowSource.TimerQueue => "timer-queue",
        NowSource.Pool => "pool",
        NowSource.Activity => "activity",
        _ => null,
    };

    /// <summary>Addresses of the timers, ascending.</summary>
    public ulong[] Timers { get; init; } = [];

    /// <summary>Addresses of the promise that each of them was made for: what is awaited.</summary>
    public ulong[] Promises { get; init; } = [];

    /// <summary>When each was made, a tick.</summary>
    public long[] Ticks { get; init; } = [];

    /// <summary>What began before a stack's wait, by the number of the stack: the wait is not older.</summary>
    public IReadOnlyDictionary<int, StackStart> Starts { get; init; } = new Dictionary<int, StackStart>();

    /// <summary>Frames are objects that were made when they were suspended, as in .NET 10; false where one object serves several suspensions.</summary>
    public bool FramesAreNew { get; init; }
}

/// <summary>Something that began before a wait.</summary>
/// <param name="Tick">When.</param>
/// <param name="Clock">How that is known: <see cref="AgeClock.Activity"/> or <see cref="AgeClock.HttpTimer"/>.</param>
internal readonly record struct StackStart(long Tick, AgeClock Clock);

/// <summary>How the moment of a model is known.</summary>
internal enum NowSource : byte
{
    /// <summary>It is not.</summary>
    None,

    /// <summary>The machine's clock, when a live process was read.</summary>
    Clock,

    /// <summary>The newest start of a timer.</summary>
    Timer,

    /// <summary>When a queue of timers was last set.</summary>
    TimerQueue,

    /// <summary>When the thread pool last took work, or measured it.</summary>
    Pool,

    /// <summary>The newest start of an activity in which something waits.</summary>
    Activity,
}
