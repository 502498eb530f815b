using System.Collections.Immutable;
using Iced.Intel;

namespace Async2.Analysis.Code.Decoding;

/// <summary>Offsets of fields in a Continuation object that a suspension block stores through.</summary>
internal readonly record struct ContinuationFields(int Data, int GCData, int Resume, int FirstElement);

/// <summary>
/// Follows the stores of one suspension block of x64 code (RyuJIT 10.0.12): which bytes of the method's registers and frame are copied
/// to which place in the arrays of the new continuation. References go through a write barrier:
/// <code>
///   lea   rdi, [gcdata+18h]   ; or mov [data+20h], reg; vmovups xmm0, [rbp-30h]; vmovups [data+30h], xmm0
///   mov   rsi, [rbp-10h]
///   call  JIT_WriteBarrier
/// </code>
/// </summary>
internal sealed class X64SaveDecoder
{
    private const int InstructionLimit = 20_000;
    private const int CopyLimit = 64 * 1024;

    private readonly X64SymbolicState _state;
    private readonly X64Convention _convention;
    private readonly ContinuationFields _fields;
    private readonly ulong _resume;
    private readonly ImmutableArray<SavedRange>.Builder _saved = ImmutableArray.CreateBuilder<SavedRange>();
    private int _calls;
    private int _continuation;

    private X64SaveDecoder(ContinuationFields fields, ulong resume, X64Convention convention)
    {
        _fields = fields;
        _resume = resume;
        _convention = convention;
        _state = new(convention);
    }

    /// <param name="code">Machine code from the first instruction of the block.</param>
    /// <param name="block">The block, which begins with it.</param>
    /// <param name="fields">Layout of a Continuation.</param>
    /// <param name="convention">How the code calls and keeps its locals.</param>
    public static SaveMap Decode(byte[] code, SuspensionBlock block, ContinuationFields fields, X64Convention convention)
    {
        ulong address = block.Address;
        var machine = new X64SaveDecoder(fields, block.Resume, convention);
        var decoder = Decoder.Create(64, new ByteArrayCodeReader(code), address);
        for (int i = 0; i < InstructionLimit && decoder.IP < address + (ulong)code.Length; i++)
        {
            Instruction instruction = decoder.Decode();
            if (instruction.FlowControl is FlowControl.Return or FlowControl.UnconditionalBranch or FlowControl.IndirectBranch || instruction.IsInvalid)
                break;
            machine.Step(instruction);
        }
        return new SaveMap(machine._saved.ToImmutable());
    }

    private void Step(in Instruction instruction)
    {
        if (instruction.IsStringInstruction)
            CopyString(instruction);
        else if (instruction.FlowControl is FlowControl.Call or FlowControl.IndirectCall)
            Call();
        else if (X64Moves.IsMove(instruction.Mnemonic))
            Move(instruction);
        else if (instruction.Mnemonic == Mnemonic.Lea)
            _state.Write(instruction.Op0Register, AddressOf(instruction));
        else if (X64Moves.Clears(instruction))
            _state.Write(instruction.Op0Register, SymbolicBytes.Of(Symbol.Constant(0), 64));
        else if (instruction.Mnemonic == Mnemonic.Add && instruction.Op0Kind == OpKind.Register && X64Moves.IsImmediate(instruction.Op1Kind))
            _state.Write(instruction.Op0Register, _state.Read(instruction.Op0Register).Leading.Plus((long)instruction.GetImmediate(1)));
        else if (X64Moves.Changes(instruction.Mnemonic))
            Forget(instruction);
    }

    private void Move(in Instruction instruction)
    {
        SymbolicBytes bytes;
        if (X64Moves.IsImmediate(instruction.Op1Kind))
            bytes = SymbolicBytes.Of(Symbol.Constant(instruction.GetImmediate(1)), 8);
        else if (instruction.Op1Kind == OpKind.Register && instruction.OpCount == 2)
            bytes = _state.Read(instruction.Op1Register).Slice(0, instruction.Op1Register.GetSize());
        else if (instruction.Op1Kind == OpKind.Memory && instruction.OpCount == 2)
            bytes = Load(AddressOf(instruction), instruction.MemorySize.GetSize());
        else
            bytes = SymbolicBytes.Nothing;
        if (instruction.Op0Kind == OpKind.Register)
            _state.Write(instruction.Op0Register, bytes);
        else
            Store(AddressOf(instruction), instruction.MemorySize.GetSize(), bytes);
    }

    private void Forget(in Instruction instruction)
    {
        if (instruction.Op0Kind == OpKind.Register)
            _state.Write(instruction.Op0Register, SymbolicBytes.Nothing);
        else if (instruction.Op0Kind == OpKind.Memory)
            Store(AddressOf(instruction), instruction.MemorySize.GetSize(), SymbolicBytes.Nothing);
    }

    private Symbol AddressOf(in Instruction instruction)
    {
        if (instruction.IsIPRelativeMemoryOperand)
            return Symbol.Constant(instruction.IPRelativeMemoryAddress);
        if (instruction.MemoryIndex != Register.None || instruction.MemoryBase == Register.None)
            return default;
        Symbol start = _state.Read(instruction.MemoryBase).Leading;
        // A variable that code has only by its address.
        if (start.Kind == SymbolKind.Content && start.Place.Behind is { } behind)
            start = new Symbol(SymbolKind.Address, behind);
        return start.Plus((long)instruction.MemoryDisplacement64);
    }

    private SymbolicBytes Load(Symbol address, int size)
    {
        if (address.Kind == SymbolKind.Address)
            return _state.Read(address.Place, size);
        if (address.Kind != SymbolKind.Object || address.Object != _continuation || size != 8)
            return SymbolicBytes.Nothing;
        SymbolKind array = address.Value == _fields.Data ? SymbolKind.Data : address.Value == _fields.GCData ? SymbolKind.GCData : SymbolKind.Unknown;
        return SymbolicBytes.Of(new Symbol(array), 8);
    }

    private void Store(Symbol address, int size, SymbolicBytes bytes)
    {
        if (address.Kind == SymbolKind.Address)
            _state.Write(address.Place, size, bytes);
        else if (address.Kind == SymbolKind.Object && address.Value == _fields.Resume && bytes.Leading is { Kind: SymbolKind.Constant } constant && (ulong)constant.Value == _resume)
            _continuation = address.Object;
        else if (address.Kind is SymbolKind.Data or SymbolKind.GCData)
            Save(address, bytes.Slice(0, size));
    }

    private void Save(Symbol target, SymbolicBytes bytes)
    {
        foreach (SymbolicPart part in bytes.Parts.Where(p => p.Symbol.Kind == SymbolKind.Content))
            _saved.Add(new SavedRange(part.Symbol.Place, part.Size, target.Kind == SymbolKind.GCData, (int)(target.Value + part.At - _fields.FirstElement)));
    }

    // The call's target does not matter: a barrier is a call with an address in the arrays, an allocation one whose result receives the stub.
    private void Call()
    {
        Symbol target = _state.Read(Register.RDI).Leading, source = _state.Read(Register.RSI).Leading;
        Symbol first = _state.Read(Register.RCX).Leading;
        // JIT_ByRefAssignRef copies from memory and moves both registers on: the same two by both conventions. After a call the first argument's register has none of its values,
        // so that it has an address in the arrays only for this one.
        bool copies = target.Kind == SymbolKind.GCData && source.Kind == SymbolKind.Address && !(_convention.IsWindows && first.Kind is SymbolKind.Data or SymbolKind.GCData);
        if (_convention.IsWindows && !copies)
            (target, source) = (first, _state.Read(Register.RDX).Leading);
        if (copies)
            Save(target, Load(source, 8));
        else if (target.Kind == SymbolKind.GCData)
            Save(target, SymbolicBytes.Of(source, 8));
        else if (target.Kind == SymbolKind.Data && _state.Read(_convention.IsWindows ? Register.R8 : Register.RDX).Leading is { Kind: SymbolKind.Constant, Value: > 0 and <= CopyLimit } length)
            Save(target, Load(source, (int)length.Value));
        _state.ForgetVolatile();
        _state.Write(Register.RAX, new Symbol(SymbolKind.Object, Object: ++_calls));
        if (copies)
            Advance(target, source, 8);
    }

    private void CopyString(in Instruction instruction)
    {
        Symbol target = _state.Read(Register.RDI).Leading, source = _state.Read(Register.RSI).Leading;
        Symbol count = instruction.HasRepPrefix ? _state.Read(Register.RCX).Leading : Symbol.Constant(1);
        int size = X64Moves.StringUnit(instruction.Mnemonic);
        if (size == 0 || count is not { Kind: SymbolKind.Constant, Value: > 0 and <= CopyLimit })
        {
            Advance(default, default, 0);
            return;
        }
        size *= (int)count.Value;
        Store(target, size, Load(source, size));
        Advance(target, source, size);
    }

    private void Advance(Symbol target, Symbol source, int bytes)
    {
        _state.Write(Register.RDI, target.Plus(bytes));
        _state.Write(Register.RSI, source.Plus(bytes));
    }
}
