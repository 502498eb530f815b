using System.Collections.Immutable;
using System.Reflection.Metadata;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Metadata.IL;

namespace Async2.Analysis.Holders.Flow;

/// <summary>Where the end of a <c>finally</c> leads to.</summary>
/// <param name="Target">IL offset; -1 if something was thrown.</param>
/// <param name="Outer">The same of what is around it.</param>
internal sealed record ReturnPath(int Target, ReturnPath? Outer)
{
    public const int Thrown = -1;

    private const int DepthLimit = 6;

    public bool IsDeep => Depth >= DepthLimit;

    private int Depth => 1 + (Outer?.Depth ?? 0);
}

/// <summary>
/// Runs the IL of a method on symbols instead of values, along all ways at once: where ways meet, only what both say is kept. A <c>finally</c> is run
/// once for each way that leads into it, and every call inside a <c>try</c> may throw. Loops end because what is known only gets less. What a state
/// machine does in one state is kept apart from what it does in another: the way to where it goes on from what it does there.
/// </summary>
internal sealed class AbstractRun
{
    private const int StepLimit = 40_000;

    private readonly MethodCode _code;
    private readonly InstructionEffect _effect;
    private readonly CallEffect _calls;
    private readonly Dictionary<Place, FlowState> _known = [];
    private readonly Dictionary<Place, Place?> _before = [];
    private readonly PriorityQueue<Place, (int Offset, int Number)> _open = new();
    private readonly HashSet<Place> _queued = [];
    private readonly List<Place> _added = [];
    private readonly RunResult _result = new();
    private Place _at = new(-1, null, null);
    private int _number;

    /// <param name="code">The method.</param>
    /// <param name="summaries">Of what it calls.</param>
    /// <param name="depth">How many callers are being run.</param>
    /// <param name="bodies">Which bodies virtual calls end in; null for none known.</param>
    public AbstractRun(MethodCode code, MethodSummaries summaries, int depth, KnownBodies? bodies = null)
    {
        _code = code;
        _calls = new CallEffect(code, summaries, _result, depth, bodies);
        _effect = new InstructionEffect(code, _calls, _result);
    }

    /// <summary>What it does not hold yet when it begins.</summary>
    public void WaitsFor(Symbol taken) => _result.Waiting.TryAdd(taken.Key, taken);

    /// <summary>The same of a call that acquires.</summary>
    public void WaitsForCall(ModuleMethod method, ImmutableArray<Symbol> arguments, FlowState state)
    {
        foreach (Symbol taken in _calls.AcquiredBy(method, arguments, state))
            WaitsFor(taken);
    }

    /// <summary>From the beginning of the method.</summary>
    public RunResult Run() => Run(new FlowState());

    private RunResult Run(FlowState start) => Run(0, _code.IsMachine ? MachineFields.Started(start, MachineFields.NotStarted) : start, inFlight: false);

    /// <param name="start">IL offset where it begins.</param>
    /// <param name="state">What is known there.</param>
    /// <param name="inFlight">The first instruction is an await of a call that has begun: what that releases, it owes itself.</param>
    public RunResult Run(int start, FlowState state, bool inFlight)
    {
        Add(start, null, state);
        for (int steps = 0; _open.TryDequeue(out Place next, out _); steps++)
        {
            if (steps >= StepLimit)
            {
                _result.IsCut = true;
                break;
            }
            _queued.Remove(next);
            _at = next;
            _added.Clear();
            if (_code.TryGet(next.Offset, out ILInstruction instruction))
                Step(instruction, next.Path, _known[next], inFlight && steps == 0);
        }
        return _result;
    }

    /// <summary>The same as <see cref="Run()"/>, with what was known where it may be suspended.</summary>
    public RunResult RunWithStops()
    {
        RunResult whole = Run(new FlowState { IsPast = true });
        foreach ((int offset, int? number) in whole.Stops)
        {
            if (number is { } machineState)
                whole.AtStates[machineState] = Joined(place => place.Offset == offset && place.State == machineState) ?? new FlowState();
            else
                whole.AtAwaits[offset] = StateAt(offset) ?? new FlowState();
        }
        return whole;
    }

    /// <summary>What was known before an instruction, on all ways; null if none leads there.</summary>
    public FlowState? StateAt(int offset) => Joined(place => place.Offset == offset);

    private FlowState? Joined(Func<Place, bool> isMeant)
    {
        FlowState? state = null;
        foreach (FlowState known in _known.Where(pair => isMeant(pair.Key)).Select(pair => pair.Value))
            state = state is null ? known : FlowState.Join(state, known) ?? state;
        return state;
    }

    // What is known is joined where ways meet. Where only one leads to, a later visit knows better: a loop's second turn, what joined before it.
    private void Add(int offset, ReturnPath? path, FlowState state)
    {
        var place = new Place(offset, path, _code.IsMachine ? MachineFields.StateIn(state) : null);
        if (_known.TryGetValue(place, out FlowState? known))
        {
            // Both ways of a branch may lead there.
            bool isOnlyWay = _before[place] is { } before && before == _at && !_added.Contains(place);
            if (!isOnlyWay)
                _before[place] = null;
            FlowState? changed = ReferenceEquals(known, state) ? null : isOnlyWay ? (state.IsSame(known) ? null : state) : FlowState.Join(known, state);
            _added.Add(place);
            if (changed is null)
                return;
            _known[place] = changed;
        }
        else
        {
            _known[place] = state;
            _before[place] = _at;
            _added.Add(place);
        }
        // In the order of the code, so that ways have met before it goes on behind.
        if (_queued.Add(place))
            _open.Enqueue(place, (offset, _number++));
    }

    private void Step(ILInstruction instruction, ReturnPath? path, FlowState before, bool inFlight)
    {
        FlowState state = before.Copy();
        if ((instruction.IsCall || instruction.OpCode == ILOpCode.Newobj) && !MachineFields.IsAtAwait(before))
            Throw(instruction.Offset, path, before);
        switch (instruction.OpCode)
        {
            case ILOpCode.Leave or ILOpCode.Leave_s:
                Leave(instruction.Offset, instruction.End + (int)instruction.Operand, path, state);
                return;
            case ILOpCode.Endfinally:
                state.Stack = [];
                if (path is { Target: >= 0 })
                    Add(path.Target, path.Outer, state);
                return;
            case ILOpCode.Throw or ILOpCode.Rethrow:
                Throw(instruction.Offset, path, before);
                return;
            default:
                foreach ((int target, FlowState after) in _effect.After(instruction, state, inFlight))
                    Add(target, path, after);
                return;
        }
    }

    private void Throw(int offset, ReturnPath? path, FlowState before)
    {
        foreach (ExceptionRegion region in _code.Handlers)
        {
            if (!IsIn(offset, region.TryOffset, region.TryLength))
                continue;
            FlowState state = before.Copy();
            state.Stack = region.Kind is ExceptionRegionKind.Catch or ExceptionRegionKind.Filter ? [Symbol.Unknown] : [];
            if (region.Kind is ExceptionRegionKind.Catch or ExceptionRegionKind.Filter)
                Add(region.HandlerOffset, path, state);
            else if (path is not { IsDeep: true })
                Add(region.HandlerOffset, new ReturnPath(ReturnPath.Thrown, path), state);
        }
    }

    // Through all that is around here and not around the target, inner ones first.
    private void Leave(int offset, int target, ReturnPath? path, FlowState state)
    {
        state.Stack = [];
        ImmutableArray<ExceptionRegion> left = [.. _code.Handlers.Where(region => region.Kind == ExceptionRegionKind.Finally
            && IsIn(offset, region.TryOffset, region.TryLength) && !IsIn(target, region.TryOffset, region.TryLength)).OrderBy(region => region.TryLength)];
        for (int i = left.Length - 1; i >= 0; i--)
        {
            // Damaged IL may leave into its own try again and again.
            if (path is { IsDeep: true })
            {
                _result.IsCut = true;
                return;
            }
            path = new ReturnPath(target, path);
            target = left[i].HandlerOffset;
        }
        Add(target, path, state);
    }

    private static bool IsIn(int offset, int start, int length) => offset >= start && offset < start + length;

    private readonly record struct Place(int Offset, ReturnPath? Path, int? State);
}
