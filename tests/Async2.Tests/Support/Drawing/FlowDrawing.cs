using System.Globalization;
using System.Reflection.Metadata;
using Async2.Analysis.Code.DebugInfo;

namespace Async2.Tests.Support.Drawing;

/// <summary>
/// Blocks of native code as text: <c>0>20,40 20> 40></c> are three, at offsets 0, 20 and 40 (each ends where the next begins, the
/// last is 20 long); the first can go on at 20 and at 40, the others return.
/// </summary>
internal static class FlowDrawing
{
    private const uint LastLength = 20;

    public static NativeFlow Flow(string drawing)
    {
        string[][] blocks = [.. drawing.Split(' ').Select(b => b.Split('>'))];
        uint[] starts = [.. blocks.Select(b => uint.Parse(b[0], CultureInfo.InvariantCulture))];
        return new NativeFlow([.. blocks.Select((b, i) => new NativeBlock(
            starts[i],
            i + 1 < starts.Length ? starts[i + 1] : starts[i] + LastLength,
            [.. b[1].Split(',', StringSplitOptions.RemoveEmptyEntries).Select(n => Array.IndexOf(starts, uint.Parse(n, CultureInfo.InvariantCulture)))]))]);
    }

    /// <summary>
    /// IL of 60 bytes, all nop but for the jumps drawn: <c>0:brtrue 20 ; 8:br 30 ; 18:ret</c>; it ends with ret.
    /// </summary>
    public static byte[] IL(string drawing)
    {
        byte[] il = new byte[60];
        il[^1] = (byte)ILOpCode.Ret;
        foreach (string statement in drawing.Split(';', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
        {
            string[] words = statement.Split(':', ' ');
            int at = int.Parse(words[0], CultureInfo.InvariantCulture);
            il[at] = (byte)(words[1] switch { "br" => ILOpCode.Br_s, "brtrue" => ILOpCode.Brtrue_s, _ => ILOpCode.Ret });
            if (words.Length > 2)
                il[at + 1] = (byte)(int.Parse(words[2], CultureInfo.InvariantCulture) - at - 2);
        }
        return il;
    }

    /// <summary>Blocks as text.</summary>
    public static string Show(NativeFlow flow)
        => string.Join(' ', flow.Blocks.Select(b => $"{b.Start}>{string.Join(',', b.Next.Select(n => flow.Blocks[n].Start))}"));
}
