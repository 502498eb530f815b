using System.Collections.Immutable;
using System.Reflection.Metadata;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Metadata.Awaits;
using Async2.Analysis.Metadata.IL;

namespace Async2.Analysis.Holders.Flow;

/// <summary>What a call does: acquires, releases, disposes, awaits, or whatever its callee does.</summary>
internal sealed class CallEffect(MethodCode code, MethodSummaries summaries, RunResult result, int depth, KnownBodies? bodies)
{
    // Two bytes of opcode, four of token.
    private const int ConstrainedSize = 6;

    private const string SuspendsSafely = "AwaitOnCompleted", Suspends = "AwaitUnsafeOnCompleted";

    private readonly LoadedModule _module = code.Method.Module;
    private readonly DisposedTypes _types = new(code, summaries);

    /// <summary>False if the way ends here.</summary>
    public bool Apply(ILInstruction instruction, FlowState state, bool inFlight)
    {
        if (_module.Metadata?.CalleeOf(instruction.Token, instruction.OpCode) is not { } callee)
        {
            // Unknown IL: nothing that follows can be relied on.
            result.IsCut = true;
            return false;
        }
        bool isNew = instruction.OpCode == ILOpCode.Newobj;
        Symbol[] arguments = new Symbol[callee.ParameterCount + (callee.HasThis && !isNew ? 1 : 0)];
        for (int i = arguments.Length - 1; i >= 0; i--)
            arguments[i] = state.Pop();
        Symbol[] variables = [.. arguments];
        for (int i = 0; i < arguments.Length; i++)
            arguments[i] = state.Read(arguments[i]);
        ModuleMethod? method = BodyOf(instruction, callee, arguments);
        if (isNew)
            Make(instruction, callee, arguments, method, state);
        else if (code.IsMachine && MachineFields.IsBuilder(callee))
            return IsNoEnd(instruction, callee, arguments, state);
        else if (!IsKnown(instruction, callee, arguments, method, state, inFlight))
            Call(instruction, callee, arguments, method, state, inFlight);
        // What it is given the address of, it may store into; methods of a struct leave that as it was.
        foreach (Symbol variable in variables.Skip(callee.HasThis && !isNew ? 1 : 0))
            state.Forget(variable);
        if (PromiseCalls.TakesOut(callee))
            state.Assign(variables[^1], LockCalls.IsLookup(callee) && Symbol.Entry(arguments[0], arguments[1]) is { IsUnknown: false } entry ? entry : Symbol.Item(arguments[0], instruction.Offset));
        return true;
    }

    /// <summary>A method of which a delegate is made; unknown if it may be one of several.</summary>
    public Symbol FunctionOf(ILInstruction instruction)
        => _module.Metadata?.CalleeOf(instruction.Token, ILOpCode.Call) is { } callee && summaries.Resolve(_module, callee) is { } method ? Symbol.Function(method) : Symbol.Unknown;

    // Who gets a delegate may call it: what that does counts as done.
    private void Make(ILInstruction instruction, CalleeRef callee, Symbol[] arguments, ModuleMethod? method, FlowState state)
    {
        if (arguments is [var bound, { Kind: SymbolKind.Function, Method: { } function }])
            Complete(function, function.Facts.IsStatic ? [] : [bound], state);
        else if (method is not null)
            Complete(method, [Symbol.At(SymbolKind.New, instruction.Offset, []), .. arguments], state);
        state.Push(Symbol.At(SymbolKind.New, instruction.Offset, [.. arguments], callee.Type.FullName, method));
    }

    private void Complete(ModuleMethod method, ImmutableArray<Symbol> arguments, FlowState state)
    {
        foreach (Symbol completed in summaries.Of(method, depth).Uses[FrameUse.Completes])
            Completes(Inside(completed, arguments, state));
    }

    private void Completes(Symbol completed) => Use(FrameUse.Completes, completed);

    // Whichever of several it is: each may be used.
    private void Use(FrameUse use, Symbol used)
    {
        foreach (Symbol one in used.Alternatives())
            result.Uses[use].TryAdd(one.Key, one);
    }

    private ModuleMethod? BodyOf(ILInstruction instruction, CalleeRef callee, Symbol[] arguments)
    {
        if (bodies?.ByCall.TryGetValue(instruction.Offset, out ModuleMethod? known) == true)
            return known;
        ModuleMethod? method = summaries.Resolve(_module, callee);
        if (method is null && depth == 0 && callee.HasThis && arguments.Length > 0 && summaries.MayRunLockCode(_module, callee))
            result.Open[instruction.Offset] = new OpenCall(callee, arguments[0]);
        return method;
    }

    private bool IsKnownBody(ILInstruction instruction) => bodies?.ByCall.ContainsKey(instruction.Offset) == true;

    /// <summary>What a field holds: of a new object what its constructor was given.</summary>
    public Symbol FieldOf(Symbol owner, string name, FlowState state)
    {
        if (owner is { Kind: SymbolKind.New, Method: { } constructor } && summaries.Of(constructor, depth).Stored.TryGetValue(name, out Symbol? stored))
            return Inside(stored, [owner, .. owner.Parts], state);
        var field = Symbol.Field(owner, name);
        return state.Fields.GetValueOrDefault(field.Key) ?? field;
    }

    // A state machine returns to its caller in these, and nowhere else.
    private bool IsNoEnd(ILInstruction instruction, CalleeRef callee, Symbol[] arguments, FlowState state)
    {
        if (callee.Name is SuspendsSafely or Suspends)
        {
            if (MachineFields.StateIn(state) is { } number)
                result.Stops.Add((instruction.Offset, number));
            return false;
        }
        if (callee.Name == "SetException")
            return false;
        if (callee.Name == "SetResult")
        {
            result.Exits.Add(state);
            if (arguments.Length > 1)
                result.Returned.Add(arguments[1]);
            return false;
        }
        Push(callee, Symbol.Unknown, state);
        return true;
    }

    private bool IsKnown(ILInstruction instruction, CalleeRef callee, Symbol[] arguments, ModuleMethod? method, FlowState state, bool inFlight)
    {
        foreach ((FrameUse use, Symbol used) in inFlight ? QueueCalls.SharedBy(callee, arguments) : QueueCalls.UsedBy(callee, arguments))
            Use(use, used);
        if (!inFlight && LockCalls.IsSignal(callee))
            Use(FrameUse.Signals, arguments[0]);
        if (!inFlight && LockCalls.IsSet(callee))
            Use(FrameUse.Sets, arguments[0]);
        foreach (Symbol completed in inFlight ? [] : PromiseCalls.CompletedBy(callee, arguments))
            Completes(completed);
        return IsKnownToLocks(instruction, callee, arguments, [.. arguments.Select(argument => argument.One)], method, state, inFlight);
    }

    // Which of several locks it is, has to be known.
    private bool IsKnownToLocks(ILInstruction instruction, CalleeRef callee, Symbol[] given, Symbol[] arguments, ModuleMethod? method, FlowState state, bool inFlight)
    {
        if (LockCalls.IsAwait(callee))
            Await(instruction, callee, arguments.Length > 0 ? arguments[0] : Symbol.Unknown, state, inFlight);
        else if (LockCalls.IsThrough(callee) && !LockCalls.IsAcquire(callee))
            state.Push(given[0]);
        else if (LockCalls.IsRelease(callee))
            Release(given[0], callee, state);
        else if (LockCalls.IsAcquire(callee))
            Acquire(instruction, callee, LockCalls.IsChannel(callee) ? Symbol.Lent(arguments[0]) : arguments[0], state, inFlight);
        else if (LockCalls.IsDispose(callee))
            Dispose(instruction, callee, arguments[0], method, state);
        else if (LockCalls.IsGive(callee))
            Give(callee, arguments[0], arguments[1], state);
        else if (LockCalls.IsExchange(callee) && !callee.ReturnsNothing)
            state.Push(arguments[0]);
        else if (LockCalls.IsLookup(callee) && callee.Name != "TryGetValue" && Symbol.Entry(arguments[0], arguments[1]) is { IsUnknown: false } entry)
            state.Push(entry);
        else
            return false;
        return true;
    }

    private void Await(ILInstruction instruction, CalleeRef callee, Symbol awaited, FlowState state, bool inFlight)
    {
        if (!code.IsMachine)
            result.Stops.Add((instruction.Offset, null));
        var value = Symbol.At(SymbolKind.Awaited, instruction.Offset, [awaited]);
        if (inFlight)
            result.Awaited = awaited;
        if (awaited.Kind == SymbolKind.Call && (inFlight || awaited.Text == InFlight))
            result.Pending = value.Key;
        if (awaited.Kind == SymbolKind.Acquisition)
        {
            if (inFlight)
                result.Waiting.TryAdd(awaited.Parts[0].Key, awaited.Parts[0]);
            if (awaited.Text.Length > 0)
                value = Symbol.At(SymbolKind.Taken, instruction.Offset, [awaited.Parts[0]]);
            else
                state.Acquire(awaited.Parts[0], value.Key);
        }
        else if (awaited is { Kind: SymbolKind.Call, Method: { } method } && IsAsync(method))
        {
            foreach (Symbol taken in AcquiredBy(method, awaited.Parts, state))
            {
                if (inFlight)
                    result.Waiting.TryAdd(taken.Key, taken);
                state.Acquire(taken, value.Key);
            }
            if (!inFlight && awaited.Text != InFlight)
                Release(summaries.Of(method, depth), awaited.Parts, state);
        }
        Push(callee, value, state);
    }

    /// <summary>What a method has acquired when it has returned.</summary>
    public IEnumerable<Symbol> AcquiredBy(ModuleMethod method, ImmutableArray<Symbol> arguments, FlowState state)
        => summaries.Of(method, depth).Acquires.Select(symbol => Inside(symbol, arguments, state)).Where(symbol => !symbol.IsUnknown);

    /// <summary>Text of a call that had begun when the run did: what it releases is its own affair.</summary>
    public const string InFlight = "!";

    private void Acquire(ILInstruction instruction, CalleeRef callee, Symbol taken, FlowState state, bool inFlight)
    {
        if (inFlight)
            result.Waiting.TryAdd(taken.Key, taken);
        if (callee.ReturnsNothing)
            state.Acquire(taken, "");
        else if (callee.Name == "Wait")
            state.Push(Symbol.At(SymbolKind.Taken, instruction.Offset, [taken]));
        else
            state.Push(Symbol.At(SymbolKind.Acquisition, instruction.Offset, [taken], LockCalls.SaysWhether(callee) ? "tries" : ""));
    }

    private void Release(Symbol released, CalleeRef callee, FlowState state)
    {
        Release(released, state);
        Push(callee, Symbol.Unknown, state);
    }

    private void Release(Symbol released, FlowState state)
    {
        Completes(Symbol.Completion(released, ""));
        released = released.One;
        if (released.IsUnknown || released.Kind == SymbolKind.Item)
        {
            result.ReleasesUnknown = true;
            state.Must = state.Must.Clear();
            return;
        }
        if (!state.May.ContainsKey(released.Key))
            result.Released.TryAdd(released.Key, released);
        else if (result.Waiting.ContainsKey(released.Key))
            result.GivenBack.Add(released.Key);
        state.Must = state.Must.Remove(released.Key);
        state.May = state.May.Remove(released.Key);
    }

    private void Release(MethodSummary summary, ImmutableArray<Symbol> arguments, FlowState state)
    {
        foreach (Symbol released in summary.Releases)
            Release(Inside(released, arguments, state), state);
        foreach (GivenItem given in summary.Gives)
            Give(new GivenItem(Inside(given.Channel, arguments, state), Inside(given.Item, arguments, state)), state);
        result.IsCut |= summary.IsCut;
    }

    private void Dispose(ILInstruction instruction, CalleeRef callee, Symbol disposed, ModuleMethod? method, FlowState state)
    {
        TakenLock[] tied = [.. state.May.Values.Where(row => row.Releaser == disposed.Key && disposed.Key.Length > 0)];
        foreach (TakenLock row in tied)
            Release(row.Lock, state);
        if (tied.Length == 0)
            result.Disposed.TryAdd(disposed.Key, disposed);
        // Of what is only known to be disposable everything is possible.
        if (method is null ? (LockCalls.IsDisposable(callee.Type) && !IsPlainStruct(instruction) && !_types.IsPlain(disposed)) || summaries.MayTouchLocks(_module, callee, depth) : summaries.CanTouchLocks(method))
            result.MayRelease.Add(disposed.Key);
        Push(callee, Symbol.Unknown, state);
    }

    // A struct of the framework, whose type stands before the call: the registration with a token, an enumerator. No lease is one.
    private bool IsPlainStruct(ILInstruction call)
        => code.TryGet(call.Offset - ConstrainedSize, out ILInstruction before) && before.OpCode == ILOpCode.Constrained && _module.Metadata?.OtherTypeOf(before.Token)?.FullName.StartsWith("System.", StringComparison.Ordinal) == true;

    // What a method gives that has acquired something may be a delegate that gives it back.
    private void Invoke(Symbol called, FlowState state)
    {
        Use(FrameUse.Invokes, called);
        called = called.One;
        TakenLock[] tied = [.. state.May.Values.Where(row => row.Releaser == called.Key && called.Key.Length > 0)];
        foreach (TakenLock row in tied)
            Release(row.Lock, state);
        if (tied.Length == 0 && !called.IsUnknown)
            result.Disposed.TryAdd(called.Key, called);
    }

    private void Give(CalleeRef callee, Symbol channel, Symbol item, FlowState state)
    {
        Give(new GivenItem(Symbol.Lent(channel), item), state);
        Push(callee, Symbol.Unknown, state);
    }

    // What was read from a channel goes back to it; all else is new there.
    private void Give(GivenItem given, FlowState state)
    {
        if (given.Channel.IsUnknown || given.Item.IsUnknown)
            return;
        if (state.May.GetValueOrDefault(given.Channel.Key)?.Releaser == given.Item.Key)
            Release(given.Channel, state);
        else
            result.Given.TryAdd((given.Channel.Key, given.Item.Key), given);
    }

    // Any other method: what its IL says.
    private void Call(ILInstruction instruction, CalleeRef callee, Symbol[] arguments, ModuleMethod? method, FlowState state, bool inFlight)
    {
        result.InvokesDelegate |= callee.IsDelegateInvoke;
        if (callee.IsDelegateInvoke && !inFlight)
            Invoke(arguments[0], state);
        var value = Symbol.At(SymbolKind.Call, instruction.Offset, [.. arguments], callee.Name, method);
        if (method is not null && !inFlight)
        {
            ByUse<IReadOnlyList<Symbol>> uses = summaries.Of(method, depth).Uses;
            foreach ((FrameUse use, Symbol used) in FrameUses.All.SelectMany(use => uses[use].Select(symbol => (use, Inside(symbol, [.. arguments], state)))))
                Use(use, used);
        }
        if (method is not null && !IsAsync(method))
        {
            MethodSummary summary = summaries.Of(method, depth);
            foreach (Symbol taken in AcquiredBy(method, [.. arguments], state))
            {
                if (inFlight)
                    result.Waiting.TryAdd(taken.Key, taken);
                state.Acquire(taken, callee.ReturnsNothing ? "" : value.Key);
            }
            if (!inFlight)
                Release(summary, [.. arguments], state);
            // What it returned stands for a lock; a new object is known better by the call.
            if (!callee.ReturnsNothing && Inside(summary.Returns, [.. arguments], state) is { IsUnknown: false, Kind: not (SymbolKind.Local or SymbolKind.New or SymbolKind.Awaited or SymbolKind.Either) } returned)
                value = returned;
        }
        if (method is null && !inFlight && !IsKnownBody(instruction))
        {
            foreach (ModuleMethod body in summaries.OpenBodies(_module, callee))
                Complete(body, [Symbol.Instance(body.Module, body.Facts.DeclaringToken)], state);
        }
        result.CallsUnknown |= !inFlight && (method is null ? !IsKnownBody(instruction) && summaries.MayTouchLocks(_module, callee, depth) : summaries.Of(method, depth).CallsUnknown);
        Push(callee, value, state);
    }

    public static bool IsAsync(ModuleMethod method)
        => method.Facts.IsRuntimeAsync || (method.Facts.ReturnsTask && method.Module.Metadata?.MoveNextStartedBy(method.Facts.Token) is not null);

    private Symbol Inside(Symbol symbol, ImmutableArray<Symbol> arguments, FlowState state)
    {
        if (symbol.Kind == SymbolKind.Argument)
            return symbol.Number < arguments.Length ? arguments[symbol.Number] : Symbol.Unknown;
        if (symbol.Kind == SymbolKind.Local)
            return Symbol.Unknown;
        if (symbol.Parts.IsEmpty)
            return symbol;
        ImmutableArray<Symbol> parts = [.. symbol.Parts.Select(part => Inside(part, arguments, state))];
        if (symbol.Kind == SymbolKind.Field)
            return parts[0].IsUnknown ? Symbol.Unknown : FieldOf(parts[0], symbol.Text, state);
        return symbol.NeedsParts(parts) ? Symbol.Unknown : symbol.With(parts);
    }

    private static void Push(CalleeRef callee, Symbol value, FlowState state)
    {
        if (!callee.ReturnsNothing)
            state.Push(value);
    }
}
