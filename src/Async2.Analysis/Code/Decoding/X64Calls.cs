using Iced.Intel;

namespace Async2.Analysis.Code.Decoding;

/// <summary>Finds the calls in x64 code.</summary>
internal static class X64Calls
{
    /// <summary>In order of address, each with the offset behind it.</summary>
    public static IReadOnlyList<(AwaitCall Call, uint End)> Decode(byte[] code, ulong address)
    {
        var decoder = Decoder.Create(64, new ByteArrayCodeReader(code), address);
        var instructions = new List<Instruction>(code.Length / 4);
        while (decoder.IP < address + (ulong)code.Length)
            instructions.Add(decoder.Decode());
        var calls = new List<(AwaitCall, uint)>();
        for (int i = 0; i < instructions.Count; i++)
        {
            if (instructions[i].FlowControl is FlowControl.Call or FlowControl.IndirectCall)
                calls.Add((X64CallTarget.Of(instructions, i), (uint)(instructions[i].NextIP - address)));
        }
        return calls;
    }
}
