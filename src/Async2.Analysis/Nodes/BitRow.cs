namespace Async2.Analysis.Nodes;

/// <summary>A bit for each of many things in a row.</summary>
/// <param name="count">How many.</param>
internal sealed class BitRow(int count)
{
    private const int Bits = 64;

    private readonly ulong[] _words = new ulong[(count + Bits - 1) / Bits];

    /// <summary>Sets a bit; false if it was set.</summary>
    public bool Set(int position)
    {
        ref ulong word = ref _words[position / Bits];
        ulong bit = 1UL << position;
        bool wasClear = (word & bit) == 0;
        word |= bit;
        return wasClear;
    }

    /// <summary>Whether no bit of a stretch is set.</summary>
    /// <param name="first">Its first.</param>
    /// <param name="length">How many; at least one.</param>
    public bool IsClear(int first, int length)
    {
        for (int word = first / Bits, last = (first + length - 1) / Bits; word <= last; word++)
        {
            if ((_words[word] & Mask(word, first, length)) != 0)
                return false;
        }
        return true;
    }

    /// <summary>Sets all bits of a stretch.</summary>
    /// <param name="first">Its first.</param>
    /// <param name="length">How many; at least one.</param>
    public void Set(int first, int length)
    {
        for (int word = first / Bits, last = (first + length - 1) / Bits; word <= last; word++)
            _words[word] |= Mask(word, first, length);
    }

    // Those bits of a word that are in the stretch.
    private static ulong Mask(int word, int first, int length)
    {
        int from = Math.Max(0, first - (word * Bits)), to = Math.Min(Bits, first + length - (word * Bits));
        return (ulong.MaxValue >> (Bits - (to - from))) << from;
    }
}
