using Async2.Analysis.Code.DebugInfo;
using Iced.Intel;

namespace Async2.Analysis.Code.Decoding;

/// <summary>The instructions of a range of x64 code, decoded once for all queries.</summary>
/// <param name="code">The machine code.</param>
/// <param name="address">Its address in the target.</param>
internal sealed class X64Code(byte[] code, ulong address)
{
    /// <summary>Address of the code.</summary>
    public ulong Address => address;

    /// <summary>In order of address.</summary>
    public List<Instruction> Instructions { get; } = Decode(code, address);

    /// <summary>Its blocks with their successors.</summary>
    public NativeFlow Flow => X64FlowDecoder.Decode(this);

    /// <summary>Its calls in order of address, each with the offset after it.</summary>
    public IReadOnlyList<(AwaitCall Call, uint End)> Calls
    {
        get
        {
            var calls = new List<(AwaitCall, uint)>();
            for (int i = 0; i < Instructions.Count; i++)
            {
                if (Instructions[i].FlowControl is FlowControl.Call or FlowControl.IndirectCall)
                    calls.Add((X64CallTarget.Of(Instructions, i), (uint)(Instructions[i].NextIP - address)));
            }
            return calls;
        }
    }

    private static List<Instruction> Decode(byte[] code, ulong address)
    {
        var decoder = Decoder.Create(64, new ByteArrayCodeReader(code), address);
        var instructions = new List<Instruction>(code.Length / 4);
        while (decoder.IP < address + (ulong)code.Length)
            instructions.Add(decoder.Decode());
        return instructions;
    }
}
