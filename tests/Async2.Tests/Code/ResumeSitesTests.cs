using System.Diagnostics;
using Async2.Analysis.Code.Suspension;
using Async2.Tests.Support.Drawing;
using Iced.Intel;
using static Iced.Intel.AssemblerRegisters;

namespace Async2.Tests.Code;

public sealed class ResumeSitesTests
{
    private const ulong Code = 0x7f80_1234_0000;
    private const ulong Resume = 0x7f80_1250_4320;

    public static TheoryData<string> Loads => ["mov rcx", "mov r9", "lea rax", "lea r10"];

    [Theory]
    [MemberData(nameof(Loads))]
    public void An_instruction_that_loads_the_constant_is_a_hit_at_its_operand(string load)
    {
        (byte[] code, int operand) = Assemble(load);
        Assert.Equal([(Resume, Code + (ulong)operand)], Scan(code));
    }

    [Fact]
    public void The_bytes_alone_are_not_a_hit()
    {
        byte[] constant = BitConverter.GetBytes(Resume);
        Assert.Empty(Scan([0, 0, 0, .. constant, 0, 0]));
        // push imm, mov r32, call: other opcodes in front.
        Assert.Empty(Scan([0x41, 0xB8, .. constant]));
        Assert.Empty(Scan([0x48, 0xC7, .. constant]));
        // mov r8, imm8 and mov r32, imm32 with a wide prefix that does not belong there.
        Assert.Empty(Scan([0x48, 0xB1, .. constant]));
        Assert.Empty(Scan([0x44, 0xB9, .. constant]));
        // lea r32: an address has 64 bits.
        Assert.Empty(Scan([0x40, 0x8D, 0x0D, .. BitConverter.GetBytes((int)(Resume - Code - 7)), 0, 0, 0, 0]));
        Assert.Single(Scan([0x48, 0x8D, 0x0D, .. BitConverter.GetBytes((int)(Resume - Code - 7)), 0, 0, 0, 0]));
    }

    [Fact]
    public void A_call_at_the_same_distance_is_not_a_hit()
    {
        var assembler = new Assembler(64);
        assembler.call(Resume);
        assembler.jmp(Resume);
        Assert.Empty(Scan(Bytes(assembler)));
    }

    [Fact]
    public void Another_constant_is_not_a_hit()
    {
        var assembler = new Assembler(64);
        assembler.mov(rcx, Resume + 8);
        assembler.AddInstruction(NativeDrawing.Lea(Register.RCX, Resume - 8));
        Assert.Empty(Scan(Bytes(assembler)));
    }

    [Theory]
    [MemberData(nameof(Loads))]
    public void A_hit_may_end_with_the_code_and_not_behind_it(string load)
    {
        (byte[] code, int operand) = Assemble(load);
        int end = operand + (load.StartsWith("mov", StringComparison.Ordinal) ? 8 : 4);
        Assert.Single(Scan(code[..end]));
        for (int length = 0; length < end; length++)
            Assert.Empty(Scan(code[..length]));
    }

    [Theory]
    [MemberData(nameof(Loads))]
    public void A_hit_may_begin_with_the_code(string load)
    {
        (byte[] code, int operand) = Assemble(load);
        int start = operand - (load.StartsWith("mov", StringComparison.Ordinal) ? 2 : 3);
        Assert.Equal([(Resume, Code + (ulong)operand)], Scan(code[start..], Code + (ulong)start));
        Assert.Empty(Scan(code[(start + 1)..], Code + (ulong)start + 1));
    }

    [Fact]
    public void The_first_of_several_places_is_kept()
    {
        var assembler = new Assembler(64);
        assembler.mov(rcx, Resume);
        assembler.mov(rdx, Resume);
        Assert.Equal([(Resume, Code + 2)], Scan(Bytes(assembler)));
    }

    [Fact]
    public void Random_bytes_are_searched_without_harm()
    {
        byte[] code = new byte[300_000];
        new Random(7).NextBytes(code);
        Assert.Empty(Scan(code, ulong.MaxValue - 1000));
    }

    [Fact]
    public void The_vector_search_finds_the_same_as_a_simple_one()
    {
        var random = new Random(3);
        byte[] code = new byte[10_000];
        random.NextBytes(code);
        // Loads at every distance from the block of sixteen that they are in.
        for (int at = 5; at + 10 < code.Length; at += 33)
        {
            code[at] = 0x48;
            code[at + 1] = 0xB9;
            BitConverter.TryWriteBytes(code.AsSpan(at + 2), Resume + (ulong)at);
        }
        var found = new Dictionary<ulong, ulong>();
        ResumeSites.Scan(code, Code, [.. Enumerable.Range(0, code.Length).Select(at => Resume + (ulong)at)], found);
        var loads = new List<(ulong, ulong)>();
        for (int at = 5; at + 10 < code.Length; at += 33)
            loads.Add((Resume + (ulong)at, Code + (ulong)at + 2));
        Assert.Equal(loads, found.OrderBy(f => f.Key).Select(f => (f.Key, f.Value)));
    }

    [Fact]
    public void A_search_takes_no_longer_than_a_few_reads_of_each_byte()
    {
        byte[] code = new byte[16 << 20];
        new Random(5).NextBytes(code);
        double ratio = double.MaxValue;
        for (int i = 0; i < 5 && ratio >= 3; i++)
        {
            long start = Stopwatch.GetTimestamp();
            int sum = 0;
            foreach (byte b in code)
                sum = (sum * 31) + b;
            double plain = Stopwatch.GetElapsedTime(start).TotalMilliseconds + (sum == 1 ? 1 : 0);
            start = Stopwatch.GetTimestamp();
            Scan(code);
            ratio = Math.Min(ratio, Stopwatch.GetElapsedTime(start).TotalMilliseconds / plain);
        }
        Assert.True(ratio < 3, $"the search took {ratio:F1} times as long as a plain loop");
    }

    private static (byte[] Code, int Operand) Assemble(string load)
    {
        var assembler = new Assembler(64);
        assembler.push(rbp);
        assembler.nop();
        int start = 2;
        switch (load)
        {
            case "mov rcx": assembler.mov(rcx, Resume); break;
            case "mov r9": assembler.mov(r9, Resume); break;
            case "lea rax": assembler.AddInstruction(NativeDrawing.Lea(Register.RAX, Resume)); break;
            case "lea r10": assembler.AddInstruction(NativeDrawing.Lea(Register.R10, Resume)); break;
        }
        assembler.ret();
        return (Bytes(assembler), start + (load[0] == 'm' ? 2 : 3));
    }

    private static byte[] Bytes(Assembler assembler)
    {
        using var stream = new MemoryStream();
        assembler.Assemble(new StreamCodeWriter(stream), Code);
        return stream.ToArray();
    }

    private static (ulong Resume, ulong Address)[] Scan(byte[] code, ulong address = Code)
    {
        var found = new Dictionary<ulong, ulong>();
        ResumeSites.Scan(code, address, [Resume], found);
        return [.. found.Select(f => (f.Key, f.Value))];
    }
}
