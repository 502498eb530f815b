using System.Collections.Immutable;
using System.Reflection.Metadata;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Metadata.IL;

namespace Async2.Analysis.Holders.Flow;

/// <summary>What one instruction makes of what is known, and where it leads.</summary>
internal sealed class InstructionEffect(MethodCode code, CallEffect calls, RunResult result)
{
    private readonly LoadedModule _module = code.Method.Module;

    /// <param name="instruction">The instruction.</param>
    /// <param name="state">What is known before it; is changed.</param>
    /// <param name="inFlight">See <see cref="AbstractRun.Run(int, FlowState, bool)"/>.</param>
    public IEnumerable<(int Target, FlowState State)> After(ILInstruction instruction, FlowState state, bool inFlight)
    {
        if (instruction.OpCode == ILOpCode.Switch)
            return Switch(instruction, state);
        if (instruction.OpCode == ILOpCode.Ret)
            return Return(instruction, state);
        if (instruction.OpCode.IsBranch())
            return Branch(instruction, state);
        if (instruction.IsCall || instruction.OpCode == ILOpCode.Newobj)
            return calls.Apply(instruction, state, inFlight) ? [(instruction.End, state)] : [];
        if (!IsVariable(instruction, state) && !IsField(instruction, state))
            Apply(instruction, state);
        return [(instruction.End, state)];
    }

    private IEnumerable<(int Target, FlowState State)> Return(ILInstruction instruction, FlowState state)
    {
        if (code.IsMachine)
            return MachineFields.StateIn(state) is { } number && MachineFields.IsYield(number) ? [(0, Yield(instruction, state, number))] : [];
        result.Exits.Add(state);
        if (!state.Stack.IsEmpty)
            result.Returned.Add(state.Stack.Peek());
        return [];
    }

    // An iterator goes on from its entry when the next element is asked for.
    private FlowState Yield(ILInstruction instruction, FlowState state, int number)
    {
        (state.Stack, state.Locals) = ([], ImmutableDictionary<int, Symbol>.Empty);
        result.Stops.Add((instruction.Offset, number));
        return state;
    }

    private static bool IsVariable(ILInstruction instruction, FlowState state)
    {
        if (ILVariable.LoadsArgument(instruction) is { } argument)
            state.Push(instruction.OpCode is ILOpCode.Ldarga or ILOpCode.Ldarga_s ? Symbol.AddressOf(SymbolKind.ArgumentAddress, argument) : Symbol.Argument(argument));
        else if (ILVariable.LoadsAddress(instruction) is { } address)
            state.Push(Symbol.AddressOf(SymbolKind.LocalAddress, address));
        else if (ILVariable.Loads(instruction) is { } slot)
            state.Push(state.LocalOf(slot));
        else if (ILVariable.Stores(instruction) is { } target)
            state.StoreLocal(target, state.Pop());
        else if (ILVariable.Constant(instruction) is { } constant)
            state.Push(Symbol.Constant(constant));
        else
            return false;
        return true;
    }

    private bool IsField(ILInstruction instruction, FlowState state)
    {
        if (instruction.OpCode is not (ILOpCode.Ldfld or ILOpCode.Ldflda or ILOpCode.Stfld or ILOpCode.Ldsfld or ILOpCode.Ldsflda))
            return false;
        string name = code.FieldOf(instruction);
        if (instruction.OpCode is ILOpCode.Ldsfld or ILOpCode.Ldsflda)
        {
            state.Push(_module.Metadata?.OwnerOfStatic(instruction.Token) is { } owner ? Symbol.Static(_module, owner, name) : Symbol.Unknown);
            return true;
        }
        Symbol value = instruction.OpCode == ILOpCode.Stfld ? state.Pop() : Symbol.Unknown;
        Symbol owned = state.Read(state.Pop());
        if (instruction.OpCode == ILOpCode.Stfld)
            Store(state, owned, name, value);
        else
            state.Push(instruction.OpCode == ILOpCode.Ldflda ? Symbol.Field(owned, name, SymbolKind.FieldAddress) : calls.FieldOf(owned, name, state));
        return true;
    }

    private void Store(FlowState state, Symbol owner, string name, Symbol value)
    {
        state.Store(Symbol.Field(owner, name), value);
        if (owner is { Kind: SymbolKind.Argument, Number: 0 })
            result.Stored[name] = result.Stored.TryGetValue(name, out Symbol? other) && other.Key != value.Key ? Symbol.Unknown : value;
    }

    private void Apply(ILInstruction instruction, FlowState state)
    {
        switch (instruction.OpCode)
        {
            case ILOpCode.Nop or ILOpCode.Castclass or ILOpCode.Isinst or ILOpCode.Constrained or ILOpCode.Box or ILOpCode.Unbox_any or ILOpCode.Readonly or ILOpCode.Volatile:
                return;
            case ILOpCode.Ldstr:
                state.Push(_module.Metadata?.Text(instruction.Token) is { } text ? Symbol.Quoted(text) : Symbol.Unknown);
                return;
            case ILOpCode.Ldftn or ILOpCode.Ldvirtftn:
                if (instruction.OpCode == ILOpCode.Ldvirtftn)
                    state.Pop();
                state.Push(calls.FunctionOf(instruction));
                return;
            case ILOpCode.Dup:
                state.Push(state.Stack.IsEmpty ? Symbol.Unknown : state.Stack.Peek());
                return;
            case ILOpCode.Ldobj or ILOpCode.Ldind_ref:
                state.Push(state.Read(state.Pop()));
                return;
            case ILOpCode.Ldelem_ref or ILOpCode.Ldelem:
                Symbol index = state.Pop();
                Symbol array = state.Pop();
                state.Push(Symbol.Element(array, index));
                return;
            case ILOpCode.Initobj:
                Clear(state.Pop(), state);
                return;
            case ILOpCode.Ceq:
                Compare(state);
                return;
            case ILOpCode.Add or ILOpCode.Sub:
                Compute(instruction.OpCode == ILOpCode.Add, state);
                return;
            default:
                StackEffect.Apply(instruction.OpCode, state);
                return;
        }
    }

    private static void Clear(Symbol cleared, FlowState state)
    {
        if (cleared.Kind == SymbolKind.LocalAddress)
            state.Locals = state.Locals.Remove(cleared.Number);
        else if (cleared.Kind == SymbolKind.FieldAddress)
            state.Fields = state.Fields.Remove(Symbol.Field(cleared.Parts[0], cleared.Text).Key);
    }

    private static void Compare(FlowState state)
    {
        Symbol right = state.Pop(), left = state.Pop();
        state.Push(left.Kind == SymbolKind.Number && right.Kind == SymbolKind.Number ? Symbol.Constant(left.Number == right.Number ? 1 : 0)
            : right is { Kind: SymbolKind.Number, Number: 0 } ? Symbol.Not(left) : Symbol.Unknown);
    }

    // A state machine subtracts from its state before it compares it.
    private static void Compute(bool adds, FlowState state)
    {
        Symbol second = state.Pop(), first = state.Pop();
        state.Push(first.Kind == SymbolKind.Number && second.Kind == SymbolKind.Number ? Symbol.Constant(adds ? first.Number + second.Number : first.Number - second.Number) : Symbol.Unknown);
    }

    private List<(int Target, FlowState State)> Switch(ILInstruction instruction, FlowState state)
    {
        Symbol value = state.Pop();
        int[] targets = code.TargetsOf(instruction);
        if (value.Kind == SymbolKind.Number)
            return [((uint)value.Number < (uint)targets.Length ? targets[value.Number] : instruction.End, state)];
        return [(instruction.End, state), .. targets.Distinct().Select(target => (target, state.Copy()))];
    }

    private static List<(int Target, FlowState State)> Branch(ILInstruction instruction, FlowState state)
    {
        int target = instruction.End + (int)instruction.Operand;
        switch (instruction.OpCode)
        {
            case ILOpCode.Br or ILOpCode.Br_s:
                return [(target, state)];
            case ILOpCode.Brtrue or ILOpCode.Brtrue_s:
                return Test(state.Pop(), target, instruction.End, state);
            case ILOpCode.Brfalse or ILOpCode.Brfalse_s:
                return Test(state.Pop(), instruction.End, target, state);
            default:
                Symbol right = state.Pop(), left = state.Pop();
                if (left.Kind == SymbolKind.Number && right.Kind == SymbolKind.Number && Holds(instruction.OpCode, left.Number, right.Number) is { } holds)
                    return [(holds ? target : instruction.End, state)];
                return [(target, state), (instruction.End, state.Copy())];
        }
    }

    private static List<(int Target, FlowState State)> Test(Symbol value, int whenTrue, int whenFalse, FlowState state)
    {
        while (value.Kind == SymbolKind.Not)
        {
            value = value.Parts[0];
            (whenTrue, whenFalse) = (whenFalse, whenTrue);
        }
        if (value.Kind == SymbolKind.Number)
            return [(value.Number != 0 ? whenTrue : whenFalse, state)];
        if (value.Kind == SymbolKind.Taken)
        {
            FlowState taken = state.Copy();
            taken.Acquire(value.Parts[0], value.Key);
            return [(whenTrue, taken), (whenFalse, state)];
        }
        // What releases a lock that is held is not null.
        if (value.Kind == SymbolKind.New || state.Must.Values.Any(row => row.Releaser == value.Key))
            return [(whenTrue, state)];
        return [(whenTrue, state), (whenFalse, state.Copy())];
    }

    private static bool? Holds(ILOpCode opCode, int left, int right) => opCode switch
    {
        ILOpCode.Beq or ILOpCode.Beq_s => left == right,
        ILOpCode.Bne_un or ILOpCode.Bne_un_s => left != right,
        ILOpCode.Bge or ILOpCode.Bge_s => left >= right,
        ILOpCode.Bgt or ILOpCode.Bgt_s => left > right,
        ILOpCode.Ble or ILOpCode.Ble_s => left <= right,
        ILOpCode.Blt or ILOpCode.Blt_s => left < right,
        ILOpCode.Bge_un or ILOpCode.Bge_un_s => (uint)left >= (uint)right,
        ILOpCode.Bgt_un or ILOpCode.Bgt_un_s => (uint)left > (uint)right,
        ILOpCode.Ble_un or ILOpCode.Ble_un_s => (uint)left <= (uint)right,
        ILOpCode.Blt_un or ILOpCode.Blt_un_s => (uint)left < (uint)right,
        _ => null,
    };
}
