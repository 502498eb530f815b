using System.Runtime.InteropServices;

namespace Async2.Analysis.Targets.Memory;

/// <summary>A number of 64 bits for the content of a page: pages that differ in anything have different ones, except by a chance of one in 2 to the 64.</summary>
internal static class PageFingerprint
{
    // The golden ratio's: its bits are well spread. Both halves of the product are used, as the lower one alone keeps the highest bit to itself.
    private const ulong Factor = 0x9E37_79B9_7F4A_7C15;
    private const int Lanes = 4;

    /// <param name="page">A multiple of 32 bytes.</param>
    public static ulong Of(ReadOnlySpan<byte> page)
    {
        ReadOnlySpan<ulong> words = MemoryMarshal.Cast<byte, ulong>(page);
        // Four at a time: each step has to wait for the one before it.
        ulong one = 1, two = 2, three = 3, four = 4;
        for (int i = 0; i + Lanes <= words.Length; i += Lanes)
        {
            one = Mix(one, words[i]);
            two = Mix(two, words[i + 1]);
            three = Mix(three, words[i + 2]);
            four = Mix(four, words[i + 3]);
        }
        return Mix(Mix(Mix(Mix(0, one), two), three), four);
    }

    private static ulong Mix(ulong all, ulong word)
    {
        ulong high = Math.BigMul(all ^ word, Factor, out ulong low);
        return high ^ low;
    }
}
