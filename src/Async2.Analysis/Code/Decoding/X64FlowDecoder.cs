using System.Collections.Immutable;
using Async2.Analysis.Code.DebugInfo;
using Iced.Intel;

namespace Async2.Analysis.Code.Decoding;

/// <summary>Splits x64 code into blocks.</summary>
internal static class X64FlowDecoder
{
    public static NativeFlow Decode(byte[] code, ulong address) => Decode(new X64Code(code, address));

    public static NativeFlow Decode(X64Code code) => new(Cut(code.Instructions, code.Address));

    private static ImmutableArray<NativeBlock> Cut(List<Instruction> instructions, ulong address)
    {
        if (instructions.Count == 0)
            return [];
        HashSet<ulong> blockStarts = BlockStarts(instructions, address);
        List<int> starts = [.. Enumerable.Range(0, instructions.Count).Where(i => i == 0 || blockStarts.Contains(instructions[i].IP))];
        var blockAt = new Dictionary<ulong, int>();
        for (int i = 0; i < starts.Count; i++)
            blockAt[instructions[starts[i]].IP] = i;
        var blocks = ImmutableArray.CreateBuilder<NativeBlock>(starts.Count);
        for (int i = 0; i < starts.Count; i++)
        {
            int end = i + 1 < starts.Count ? starts[i + 1] : instructions.Count;
            var next = Successors(instructions, starts[i], end, address)
                .Where(blockAt.ContainsKey).Select(ip => blockAt[ip]).Distinct();
            blocks.Add(new NativeBlock((uint)(instructions[starts[i]].IP - address), (uint)(instructions[end - 1].NextIP - address), [.. next]));
        }
        return blocks.ToImmutable();
    }

    private static HashSet<ulong> BlockStarts(List<Instruction> instructions, ulong address)
    {
        var blockStarts = new HashSet<ulong>();
        foreach (Instruction instruction in instructions)
        {
            if (instruction.FlowControl is FlowControl.ConditionalBranch or FlowControl.UnconditionalBranch)
                blockStarts.Add(instruction.NearBranchTarget);
            if (Leaves(instruction) || instruction.FlowControl == FlowControl.ConditionalBranch)
                blockStarts.Add(instruction.NextIP);
            if (AddressOfCode(instruction, address) is { } taken)
                blockStarts.Add(taken);
        }
        return blockStarts;
    }

    private static IEnumerable<ulong> Successors(List<Instruction> instructions, int start, int end, ulong address)
    {
        for (int i = start; i < end; i++)
        {
            if (AddressOfCode(instructions[i], address) is { } taken)
                yield return taken;
        }
        Instruction last = instructions[end - 1];
        if (last.FlowControl is FlowControl.ConditionalBranch or FlowControl.UnconditionalBranch)
            yield return last.NearBranchTarget;
        if (!Leaves(last))
            yield return last.NextIP;
    }

    private static bool Leaves(in Instruction instruction) => instruction.FlowControl
        is FlowControl.UnconditionalBranch or FlowControl.IndirectBranch or FlowControl.Return or FlowControl.Interrupt or FlowControl.Exception;

    // A catch clause is a function of its own: it returns the address at which the method continues. Entries of jump tables
    // are relative to the start of the body.
    private static ulong? AddressOfCode(in Instruction instruction, ulong address)
        => instruction.Mnemonic == Mnemonic.Lea && instruction.IsIPRelativeMemoryOperand && instruction.IPRelativeMemoryAddress != address
            ? instruction.IPRelativeMemoryAddress : null;
}
