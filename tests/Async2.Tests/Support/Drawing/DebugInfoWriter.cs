using System.Buffers.Binary;
using Async2.Analysis.Code.DebugInfo;

namespace Async2.Tests.Support.Drawing;

/// <summary>Writes debug info as the JIT does (coreclr 10.0.12, CompressDebugInfo), the other way round from the reader.</summary>
internal static class DebugInfoWriter
{
    private const byte Patchpoint = 1;
    private const byte RichInfo = 2;

    /// <param name="bounds">In native order.</param>
    /// <param name="patchpointLocals">Writes a PatchpointInfo with so many locals.</param>
    /// <param name="richBytes">Writes rich debug info of so many bytes.</param>
    /// <param name="instrumented">Marks the bounds as those of an instrumented body, with uninstrumented ones behind.</param>
    /// <param name="variables">What stands behind the bounds; null for bytes that nobody can read.</param>
    public static byte[] Write(
        ILMappingEntry[] bounds, int? patchpointLocals = null, int? richBytes = null, bool instrumented = false, byte[]? variables = null)
    {
        // Source: 1 call instruction, 2 stack empty.
        byte[] packed = bounds.Length == 0 ? [] : Pack(bounds, 2, (i, _) => (uint)(1 + (i % 2)));
        var blob = new List<byte> { (byte)((patchpointLocals is null ? 0 : Patchpoint) | (richBytes is null ? 0 : RichInfo)) };
        if (patchpointLocals is { } locals)
            blob.AddRange(PatchpointInfo(locals));
        if (richBytes is { } rich)
            blob.AddRange([.. BitConverter.GetBytes(rich), .. Enumerable.Repeat((byte)0xEE, rich)]);
        var header = new List<int>();
        if (instrumented)
            AddNumber(header, 0xFFFFFFFF);
        AddNumber(header, (uint)packed.Length);
        if (instrumented)
            AddNumber(header, 3);
        AddNumber(header, (uint)(variables?.Length ?? 5));
        byte[] uninstrumented = instrumented ? [0x77, 0x77, 0x77] : [];
        return [.. blob, .. Bytes(header), .. packed, .. uninstrumented, .. variables ?? [0x77, 0x77, 0x77, 0x77, 0x77], .. instrumented ? Array.Empty<byte>() : [0x77, 0x77, 0x77]];
    }

    /// <summary>Variables as the JIT writes them.</summary>
    public static byte[] Variables(params NativeVariable[] variables)
    {
        var numbers = new List<uint> { (uint)variables.Length };
        foreach (NativeVariable v in variables)
        {
            numbers.AddRange([v.Start, v.End - v.Start, (uint)(v.Number + 4), (uint)v.Home]);
            uint register = (uint)v.Place.Register, offset = Signed(v.Place.Offset);
            numbers.AddRange(v.Home switch
            {
                VariableHome.Stack or VariableHome.TwoStackSlots => [register, offset],
                VariableHome.StackByRef => [register, Signed(v.Place.Slot!.Value)],
                VariableHome.TwoRegisters => [register, 7],
                VariableHome.RegisterAndStack => [register, 5, Signed(-8)],
                VariableHome.StackAndRegister => [offset, register, 7],
                _ => [register],
            });
        }
        return Nibbles([.. numbers]);
    }

    private static uint Signed(int value) => value < 0 ? ((uint)-value << 1) | 1 : (uint)value << 1;

    /// <summary>Numbers in nibbles: three bits each, most significant first, the top bit for "more".</summary>
    public static byte[] Nibbles(params uint[] numbers)
    {
        var nibbles = new List<int>();
        foreach (uint number in numbers)
            AddNumber(nibbles, number);
        return Bytes(nibbles);
    }

    private static byte[] PatchpointInfo(int locals)
    {
        byte[] bytes = new byte[40 + (4 * locals)];
        bytes.AsSpan().Fill(0xDD);
        BinaryPrimitives.WriteInt32LittleEndian(bytes.AsSpan(16), locals);
        return bytes;
    }

    /// <summary>Bounds as the JIT packs them.</summary>
    /// <param name="bounds">In native order.</param>
    /// <param name="sourceBits">Bits of the source in front of each.</param>
    /// <param name="source">The source of a bound, by its place.</param>
    public static byte[] Pack(ILMappingEntry[] bounds, int sourceBits, Func<int, ILMappingEntry, uint> source)
    {
        uint[] deltas = [.. bounds.Select((b, i) => b.Native - (i == 0 ? 0 : bounds[i - 1].Native))];
        uint[] ils = [.. bounds.Select(b => (uint)(b.IL + 3))];
        int nativeBits = Bits(deltas.Max()), ilBits = Bits(ils.Max());
        var bits = new List<bool>();
        for (int i = 0; i < bounds.Length; i++)
        {
            AddBits(bits, source(i, bounds[i]), sourceBits);
            AddBits(bits, deltas[i], nativeBits);
            AddBits(bits, ils[i], ilBits);
        }
        byte[] entries = new byte[(bits.Count + 7) / 8];
        for (int i = 0; i < bits.Count; i++)
            entries[i / 8] |= (byte)((bits[i] ? 1 : 0) << (i % 8));
        return [.. Nibbles((uint)bounds.Length, (uint)nativeBits - 1, (uint)ilBits - 1), .. entries];
    }

    private static int Bits(uint value) => Math.Max(1, 32 - System.Numerics.BitOperations.LeadingZeroCount(value));

    private static void AddBits(List<bool> bits, uint value, int count)
    {
        for (int i = 0; i < count; i++)
            bits.Add((value >> i & 1) != 0);
    }

    private static void AddNumber(List<int> nibbles, uint number)
    {
        int digits = 1;
        while (digits < 11 && number >> (3 * digits) != 0)
            digits++;
        for (int i = digits - 1; i >= 0; i--)
            nibbles.Add((int)(number >> (3 * i) & 7) | (i > 0 ? 8 : 0));
    }

    private static byte[] Bytes(List<int> nibbles)
        => [.. nibbles.Chunk(2).Select(pair => (byte)(pair[0] | (pair.Length > 1 ? pair[1] << 4 : 0)))];
}
