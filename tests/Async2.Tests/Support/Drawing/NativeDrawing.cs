using System.Collections.Immutable;
using System.Globalization;
using Async2.Analysis.Code.Decoding;
using Iced.Intel;
using static Iced.Intel.AssemblerRegisters;

namespace Async2.Tests.Support.Drawing;

/// <summary>Assembles x64 code in the shapes that RyuJIT 10.0.12 makes, and shows what a decoder finds in it.</summary>
internal sealed class NativeDrawing
{
    public const ulong Start = 0x7f80_1234_0000;
    public const ulong Resume = 0x7f80_1250_4320;

    private readonly Dictionary<string, ulong> _marks = [];
    private readonly List<(string Name, Label Label)> _labels = [];

    public Assembler Code { get; } = new(64);

    /// <summary><c>lea register, [rip+...]</c>, which the assembler has no words for.</summary>
    public static Instruction Lea(Register register, ulong address) => Instruction.Create(Iced.Intel.Code.Lea_r64_m, register, At(address));

    public static Instruction Load(Register register, ulong slot) => Instruction.Create(Iced.Intel.Code.Mov_r64_rm64, register, At(slot));

    public static Instruction CallThrough(ulong slot) => Instruction.Create(Iced.Intel.Code.Call_rm64, At(slot));

    /// <summary>Names the next instruction, so that the answer can be compared by name.</summary>
    public NativeDrawing Mark(string name)
    {
        Label label = Code.CreateLabel();
        Code.Label(ref label);
        // The assembler wants an instruction for each label, and one label for each instruction.
        Code.nop();
        _labels.Add((name, label));
        return this;
    }

    /// <summary>AllocContinuation, and the stub's address into the new object: the beginning of what a suspension block does.</summary>
    public NativeDrawing StoreResume(AssemblerRegister64 constant, AssemblerRegister64 continuation)
    {
        Code.mov(edx, 0x18);
        Code.call(Start + 0x9000);
        Code.mov(constant, Resume);
        Code.mov(__qword_ptr[continuation + 0x20], constant);
        return this;
    }

    public byte[] Assemble()
    {
        using var stream = new MemoryStream();
        AssemblerResult result = Code.Assemble(new StreamCodeWriter(stream), Start, BlockEncoderOptions.ReturnNewInstructionOffsets);
        foreach ((string name, Label label) in _labels)
            _marks[name] = result.GetLabelRIP(label) + 1;
        return stream.ToArray();
    }

    /// <summary><c>3: call1 -> 0x7f8012349000</c>, for each block; several calls with a comma, a slot in brackets.</summary>
    public string Decode() => Show(X64SuspensionDecoder.Decode(Assemble(), Start, Resume));

    private static MemoryOperand At(ulong address) => new(Register.RIP, (long)address, 8);

    private string Show(ImmutableArray<SuspensionBlock> blocks)
        => string.Join(" | ", blocks.Select(b => $"{b.State}: {string.Join(", ", b.Calls.Select(Show))}".TrimEnd()));

    private string Show(AwaitCall call)
    {
        string place = _marks.FirstOrDefault(m => m.Value == call.Address).Key ?? string.Create(CultureInfo.InvariantCulture, $"0x{call.Address:x}");
        string target = string.Create(CultureInfo.InvariantCulture, $"0x{call.Target:x}");
        return call.Target == 0 ? place : call.ThroughSlot ? $"{place} -> [{target}]" : $"{place} -> {target}";
    }
}
