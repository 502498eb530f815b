namespace Async2.Analysis.Holders.Flow;

/// <summary>What an abstract run of a method has seen.</summary>
internal sealed class RunResult
{
    /// <summary>Where it may be suspended: IL offsets of awaits, with the state that a state machine has stored there.</summary>
    public HashSet<(int Offset, int? State)> Stops { get; } = [];

    /// <summary>What was known before the awaits of a runtime-async method, by IL offset.</summary>
    public Dictionary<int, FlowState> AtAwaits { get; } = [];

    /// <summary>What was known where a state machine was suspended, by the state that it stores.</summary>
    public Dictionary<int, FlowState> AtStates { get; } = [];

    /// <summary>What was known where the method returned.</summary>
    public List<FlowState> Exits { get; } = [];

    /// <summary>What it returned.</summary>
    public List<Symbol> Returned { get; } = [];

    /// <summary>Fields of <c>this</c> that were stored; unknown where they got several values.</summary>
    public Dictionary<string, Symbol> Stored { get; } = [];

    /// <summary>Locks that were released and had not been acquired since the run began, by key.</summary>
    public Dictionary<string, Symbol> Released { get; } = [];

    /// <summary>Values that were disposed, where it is not known to release a lock acquired since the run began.</summary>
    public Dictionary<string, Symbol> Disposed { get; } = [];

    /// <summary>Values that were written into channels, where it is not known that they were read from them since the run began.</summary>
    public Dictionary<(string Channel, string Item), GivenItem> Given { get; } = [];

    /// <summary>Channels, or ends of such, from which it reads, what it signals and sets, by key; not the object of the call in which it was when the run began.</summary>
    public ByUse<Dictionary<string, Symbol>> Uses { get; } = new(_ => []);

    /// <summary>Keys of those of <see cref="Disposed"/> that are of a type which may release a lock, as far as the code says.</summary>
    public HashSet<string> MayRelease { get; } = [];

    /// <summary>Calls in which one of several bodies runs, and at least one of these has to do with locks, by IL offset.</summary>
    public Dictionary<int, OpenCall> Open { get; } = [];

    /// <summary>Locks for which the run waited at its beginning.</summary>
    public Dictionary<string, Symbol> Waiting { get; } = [];

    /// <summary>What the await is about that was in flight when the run began; null if it began with none, or that is not known.</summary>
    public Symbol? Awaited { get; set; }

    /// <summary>Key of what the await gives that was in flight when the run began, if that is a call of which it is not known what it does.</summary>
    public string? Pending { get; set; }

    /// <summary>Keys of those of them that are released after they were acquired.</summary>
    public HashSet<string> GivenBack { get; } = [];

    /// <summary>A delegate was called, which may do anything.</summary>
    public bool InvokesDelegate { get; set; }

    /// <summary>A lock was released of which it is not known which one.</summary>
    public bool ReleasesUnknown { get; set; }

    /// <summary>A virtual method was called, and one of those that it may be acquires or releases.</summary>
    public bool CallsUnknown { get; set; }

    /// <summary>The run was given up: a limit was reached.</summary>
    public bool IsCut { get; set; }

    /// <summary>All that it does to locks is known.</summary>
    public bool IsWhole => !IsCut && !ReleasesUnknown && !CallsUnknown;
}

/// <summary>A value that is written into a channel.</summary>
/// <param name="Channel">The channel.</param>
/// <param name="Item">The value.</param>
internal sealed record GivenItem(Symbol Channel, Symbol Item);

/// <summary>What a method does to its caller's locks, in terms of its own arguments.</summary>
internal sealed record MethodSummary
{
    /// <summary>Of a method without IL.</summary>
    public static MethodSummary Nothing { get; } = new();

    /// <summary>Of a method that is a lock's own; its object is the lock.</summary>
    /// <param name="role">What it does.</param>
    /// <param name="isAsync">It returns when it has the lock; otherwise it returns the task of the acquisition.</param>
    public static MethodSummary Of(LockRole role, bool isAsync)
        => role == LockRole.Releases ? new() { Releases = [Symbol.Argument(0)], Uses = new(use => use == FrameUse.Completes ? [Symbol.Completion(Symbol.Argument(0), "")] : []) }
            : isAsync ? new() { Acquires = [Symbol.Argument(0)] } : new() { Returns = Symbol.At(SymbolKind.Acquisition, 0, [Symbol.Argument(0)]) };

    /// <summary>Locks that it has acquired whenever it returns.</summary>
    public IReadOnlyList<Symbol> Acquires { get; init; } = [];

    /// <summary>Some of these are locks, and not items that it has read from channels.</summary>
    public bool AcquiresLocks => Acquires.Any(symbol => symbol.Kind != SymbolKind.Lent);

    /// <summary>Locks that it may release without having acquired them.</summary>
    public IReadOnlyList<Symbol> Releases { get; init; } = [];

    /// <summary>What it writes into channels.</summary>
    public IReadOnlyList<GivenItem> Gives { get; init; } = [];

    /// <summary>Channels from which it reads, what it signals, events that it sets; unknown among them for what has no name here.</summary>
    public ByUse<IReadOnlyList<Symbol>> Uses { get; init; } = FrameUses.None;

    /// <summary>What it always returns; unknown if that differs.</summary>
    public Symbol Returns { get; init; } = Symbol.Unknown;

    /// <summary>Fields of <c>this</c> that it has stored.</summary>
    public IReadOnlyDictionary<string, Symbol> Stored { get; init; } = new Dictionary<string, Symbol>();

    /// <summary>What it does is not all known: it calls delegates, or releases what has no name here.</summary>
    public bool IsOpaque { get; init; }

    /// <summary>It calls a virtual method that may acquire or release.</summary>
    public bool CallsUnknown { get; init; }

    /// <summary>It was not run to its end.</summary>
    public bool IsCut { get; init; }
}
