using Async2.Analysis.Code.Modules;
using Async2.Analysis.Metadata.IL;

namespace Async2.Analysis.Holders.Flow;

/// <summary>What a method has acquired when it stops at an await, and what it releases from there on.</summary>
/// <param name="Before">What is known at the await.</param>
/// <param name="After">What is done from there on.</param>
/// <param name="Open">Virtual calls, before or after, of which the objects say what they do.</param>
internal sealed record AwaitFlow(FlowState Before, RunResult After, IReadOnlyDictionary<int, OpenCall> Open)
{
    /// <summary>Locks that the rest of the method releases, or that are released by what it disposes.</summary>
    public IEnumerable<Symbol> Owed
        => After.Released.Values.Concat(Before.May.Values.Where(row => After.Disposed.ContainsKey(row.Releaser) || After.Given.ContainsKey((row.Lock.Key, row.Releaser))).Select(row => row.Lock)).DistinctBy(symbol => symbol.Key);

    /// <summary>What the rest of the method disposes, where it is not known what that releases.</summary>
    public IEnumerable<Symbol> Disposed => After.Disposed.Values.Where(symbol => !symbol.IsUnknown && !Before.May.Values.Any(row => row.Releaser == symbol.Key));

    /// <summary>Nothing is acquired, released or waited for.</summary>
    public bool IsEmpty => Before.May.Count == 0 && Open.Count == 0 && After is { Released.Count: 0, Disposed.Count: 0, Waiting.Count: 0, IsWhole: true };
}

/// <summary>Runs methods around their awaits, each (method, await) once.</summary>
internal sealed class AwaitFlows(MethodSummaries summaries)
{
    private readonly Dictionary<(MethodCode Code, KnownBodies? Bodies), (AbstractRun Run, RunResult Result)> _whole = [];
    private readonly Dictionary<(MethodCode Code, int Place), AwaitFlow?> _atCalls = [];
    private readonly Dictionary<(MethodCode Code, int Place, KnownBodies? Bodies), AwaitFlow?> _known = [];

    /// <summary>A runtime-async method that stopped at an await; null if no way leads there.</summary>
    /// <param name="method">The method.</param>
    /// <param name="await">IL offset of the await.</param>
    /// <param name="bodies">Which bodies its virtual calls end in; null for none known.</param>
    public AwaitFlow? At(ModuleMethod method, int await, KnownBodies? bodies = null)
    {
        if (summaries.CodeOf(method) is not { } code)
            return null;
        return Known(_known, (code, await, bodies), () => Whole(code, bodies).Result is var whole && whole.AtAwaits.TryGetValue(await, out FlowState? before)
            ? new AwaitFlow(before, WithOthers(code, new AbstractRun(code, summaries, 0, bodies).Run(await, before.WithoutLocks(), inFlight: true)), whole.Open) : null);
    }

    /// <summary>A method that a thread executes, at a call; null if no way leads there.</summary>
    public AwaitFlow? AtCall(ModuleMethod method, int call)
    {
        if (summaries.CodeOf(method) is not { } code || !code.TryGet(call, out ILInstruction instruction) || !instruction.IsCall)
            return null;
        return Known(_atCalls, (code, call), () => Whole(code, null) is var (run, whole) && run.StateAt(call) is { } before
            ? new AwaitFlow(before, WithOthers(code, new AbstractRun(code, summaries, 0).Run(call, before.WithoutLocks(), inFlight: true)), whole.Open) : null);
    }

    /// <summary>The same as <see cref="At"/> of a state machine.</summary>
    /// <param name="moveNext">Its MoveNext.</param>
    /// <param name="state">The state it is in.</param>
    /// <param name="awaiter">The field with the awaiter that it stored; null if that is unknown.</param>
    /// <param name="bodies">Which bodies its virtual calls end in; null for none known.</param>
    public AwaitFlow? AtState(ModuleMethod moveNext, int state, string? awaiter, KnownBodies? bodies = null)
        => summaries.CodeOf(moveNext) is { } code ? Known(_known, (code, state, bodies), () => Whole(code, bodies).Result is var whole && whole.AtStates.TryGetValue(state, out FlowState? before)
            ? new AwaitFlow(before, WithOthers(code, Resume(code, before, state, awaiter, bodies)), whole.Open) : null) : null;

    // It begins at its entry, and its state leads it to where it stopped.
    private RunResult Resume(MethodCode code, FlowState before, int state, string? awaiter, KnownBodies? bodies)
    {
        FlowState start = MachineFields.Started(new FlowState { Fields = before.Fields, IsResumed = true }, state);
        string key = awaiter is null ? "" : Symbol.Field(Symbol.Argument(0), awaiter).Key;
        Symbol? awaited = start.Fields.GetValueOrDefault(key);
        if (awaited is { Kind: SymbolKind.Call })
            start.Fields = start.Fields.SetItem(key, Symbol.At(SymbolKind.Call, awaited.Number, awaited.Parts, CallEffect.InFlight, awaited.Method));
        var run = new AbstractRun(code, summaries, 0, bodies);
        if (awaited is { Kind: SymbolKind.Acquisition })
            run.WaitsFor(awaited.Parts[0]);
        else if (awaited is { Kind: SymbolKind.Call, Method: { } method })
            run.WaitsForCall(method, awaited.Parts, start);
        RunResult resumed = run.Run(0, start, inFlight: false);
        resumed.Awaited = awaited;
        return resumed;
    }

    private (AbstractRun Run, RunResult Result) Whole(MethodCode code, KnownBodies? bodies)
    {
        if (!_whole.TryGetValue((code, bodies), out (AbstractRun Run, RunResult Result) whole))
        {
            var run = new AbstractRun(code, summaries, 0, bodies);
            _whole[(code, bodies)] = whole = (run, run.RunWithStops());
        }
        return whole;
    }

    private static AwaitFlow? Known<TKey>(Dictionary<TKey, AwaitFlow?> flows, TKey key, Func<AwaitFlow?> find)
        where TKey : notnull
    {
        if (!flows.TryGetValue(key, out AwaitFlow? known))
            flows[key] = known = find();
        return known;
    }

    // A call of another library that was given the writer of a pipe may have begun, and fill it until it has ended: which call is awaited is not asked.
    private static RunResult WithOthers(MethodCode code, RunResult after)
    {
        if (code.Callees().Any(QueueCalls.IsHandedOn) && Symbol.Completion(Symbol.Unknown, PromiseCalls.Pipe) is var unknown)
            after.Uses[FrameUse.Completes].TryAdd(unknown.Key, unknown);
        return after;
    }
}
