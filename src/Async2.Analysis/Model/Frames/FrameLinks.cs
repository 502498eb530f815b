namespace Async2.Analysis.Model.Frames;

/// <summary>The objects of suspended frames and their callers, 16 bytes for each: chains of continuations and of tasklets.</summary>
/// <param name="addresses">In ascending order.</param>
/// <param name="next">Position of the caller's object; negative at the end of a chain.</param>
/// <param name="sites">Number of the place in code of each object, which also determines its type.</param>
internal sealed class FrameLinks(ulong[] addresses, int[] next, int[] sites)
{
    public int Count => addresses.Length;

    public ulong AddressOf(int position) => addresses[position];

    /// <summary>Position of the caller's object; negative at the end of the chain.</summary>
    public int Next(int position) => next[position];

    public int SiteOf(int position) => sites[position];

    /// <summary>Position of an object; -1 if there is none at the address.</summary>
    public int Find(ulong address) => Math.Max(-1, Array.BinarySearch(addresses, address));
}
