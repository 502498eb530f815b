namespace Async2.Analysis.Model.Frames;

/// <summary>The objects of suspended frames and who called whom, 16 bytes for each: chains of continuations and of tasklets.</summary>
/// <param name="addresses">In rising order.</param>
/// <param name="next">Position of the caller's object; negative where a chain ends.</param>
/// <param name="sites">Number of the place in code where each stands, which decides the object's type.</param>
internal sealed class FrameLinks(ulong[] addresses, int[] next, int[] sites)
{
    public int Count => addresses.Length;

    public ulong AddressOf(int position) => addresses[position];

    /// <summary>Position of the caller's object; negative where the chain ends.</summary>
    public int Next(int position) => next[position];

    public int SiteOf(int position) => sites[position];

    /// <summary>Position of an object; -1 when there is none at the address.</summary>
    public int Find(ulong address) => Math.Max(-1, Array.BinarySearch(addresses, address));
}
