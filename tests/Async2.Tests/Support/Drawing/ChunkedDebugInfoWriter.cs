using Async2.Analysis.Code.DebugInfo;

namespace Async2.Tests.Support.Drawing;

/// <summary>Writes debug info as .NET 11's JIT does (dotnet/runtime, docs/design/datacontracts/DebugInfo.md), the other way round from the reader.</summary>
internal static class ChunkedDebugInfoWriter
{
    /// <param name="bounds">In native order.</param>
    /// <param name="variables">Their chunk; null for none.</param>
    /// <param name="points">Suspension points; null for none.</param>
    /// <param name="others">Bytes of the chunks between variables and points: uninstrumented bounds, patchpoint, rich info.</param>
    /// <param name="isSlim">No other chunk than the first two.</param>
    public static byte[] Write(ILMappingEntry[] bounds, byte[]? variables = null, AsyncPoint[]? points = null, int[]? others = null, bool isSlim = false)
    {
        byte[] packed = bounds.Length == 0 ? [] : DebugInfoWriter.Pack(bounds, 3, (_, bound) => (uint)bound.Source);
        byte[] second = variables ?? [], last = points is null ? [] : Points(points);
        int[] between = others ?? [0, 0, 0];
        byte[] header = isSlim
            ? DebugInfoWriter.Nibbles((uint)packed.Length, (uint)second.Length)
            : DebugInfoWriter.Nibbles(0, (uint)packed.Length, (uint)second.Length, (uint)between[0], (uint)between[1], (uint)between[2], (uint)last.Length);
        return [.. header, .. packed, .. second, .. Enumerable.Repeat((byte)0xEE, between.Sum()), .. last];
    }

    /// <summary>Variables with the number first; -5 is the value of a call, whose end is the IL offset of the call.</summary>
    public static byte[] Variables(params NativeVariable[] variables)
    {
        var numbers = new List<uint> { (uint)variables.Length };
        foreach (NativeVariable v in variables)
        {
            numbers.AddRange([(uint)(v.Number + 6), v.Start, v.Number == -5 ? v.End : v.End - v.Start, (uint)v.Home, (uint)v.Place.Register]);
            if (v.Home == VariableHome.Stack)
                numbers.Add(Signed(v.Place.Offset));
        }
        return DebugInfoWriter.Nibbles([.. numbers]);
    }

    private static byte[] Points(AsyncPoint[] points)
    {
        var numbers = new List<uint> { (uint)points.Length, (uint)points.Sum(p => p.Variables.Length) };
        uint last = 0;
        foreach (AsyncPoint point in points)
        {
            numbers.AddRange([Signed((int)(point.Native - last)), (uint)point.Variables.Length]);
            last = point.Native;
        }
        foreach (AsyncVariable variable in points.SelectMany(p => p.Variables))
            numbers.AddRange([(uint)(variable.Number + 6), (uint)variable.Offset]);
        return DebugInfoWriter.Nibbles([.. numbers]);
    }

    private static uint Signed(int value) => value < 0 ? ((uint)-value << 1) | 1 : (uint)value << 1;
}
