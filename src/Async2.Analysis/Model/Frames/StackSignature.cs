using System.Numerics;

namespace Async2.Analysis.Model.Frames;

/// <summary>What a <see cref="StackSignature"/> comes to. A type of our own: code for it is compiled before the tool runs, that for a tuple is not.</summary>
internal readonly record struct StackFingerprint(ulong A, ulong B, int Length)
{
    public override int GetHashCode() => A.GetHashCode();
}

/// <summary>
/// A 128-bit fingerprint of a sequence of frames, for coalescing: stacks with the same fingerprint are equal (the probability of
/// an error with a billion stacks is below 1 in 10^20).
/// </summary>
internal struct StackSignature
{
    private ulong _a;
    private ulong _b;
    private int _length;

    public void Add(int frame)
    {
        _a = Mix(_a ^ (uint)frame, 0x9E3779B97F4A7C15);
        _b = Mix(_b + (uint)frame, 0xC2B2AE3D27D4EB4F);
        _length++;
    }

    public readonly StackFingerprint Value => new(_a, _b, _length);

    // The finalizer of splitmix64, with a different constant for each half.
    private static ulong Mix(ulong value, ulong constant)
    {
        value = (value + constant) * 0xBF58476D1CE4E5B9;
        value ^= value >> 31;
        return BitOperations.RotateLeft(value * 0x94D049BB133111EB, 27);
    }
}
