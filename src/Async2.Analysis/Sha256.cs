using System.Buffers.Binary;
using System.Numerics;

namespace Async2.Analysis;

/// <summary>
/// SHA-256 (FIPS 180-4) without a library of the system. .NET's own loads OpenSSL, which takes longer than all that is hashed here, and in an image that has none the process is aborted.
/// Nothing here is a secret: keys of stacks, checksums of files that we wrote, the page's script.
/// </summary>
internal static class Sha256
{
    public const int Bytes = 32;

    private const int BlockBytes = 64;
    private const int Rounds = 64;

    private static ReadOnlySpan<uint> Begin => [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];

    private static ReadOnlySpan<uint> Constants =>
    [
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
    ];

    /// <summary>The hash: <see cref="Bytes"/> bytes.</summary>
    public static byte[] HashOf(ReadOnlySpan<byte> data)
    {
        Span<uint> state = stackalloc uint[Begin.Length];
        Begin.CopyTo(state);
        int whole = data.Length / BlockBytes * BlockBytes;
        for (int at = 0; at < whole; at += BlockBytes)
            Add(state, data.Slice(at, BlockBytes));
        AddEnd(state, data[whole..], data.Length);
        byte[] hash = new byte[Bytes];
        for (int i = 0; i < state.Length; i++)
            BinaryPrimitives.WriteUInt32BigEndian(hash.AsSpan(i * sizeof(uint)), state[i]);
        return hash;
    }

    // The rest, a bit that is set, zeros, and the length in bits.
    private static void AddEnd(Span<uint> state, ReadOnlySpan<byte> rest, long length)
    {
        Span<byte> end = stackalloc byte[2 * BlockBytes];
        end.Clear();
        rest.CopyTo(end);
        end[rest.Length] = 0x80;
        int size = rest.Length + 1 + sizeof(ulong) <= BlockBytes ? BlockBytes : 2 * BlockBytes;
        BinaryPrimitives.WriteInt64BigEndian(end[(size - sizeof(ulong))..], length * 8);
        for (int at = 0; at < size; at += BlockBytes)
            Add(state, end.Slice(at, BlockBytes));
    }

    private static void Add(Span<uint> state, ReadOnlySpan<byte> block)
    {
        Span<uint> words = stackalloc uint[Rounds];
        for (int i = 0; i < Rounds; i++)
        {
            words[i] = i < 16
                ? BinaryPrimitives.ReadUInt32BigEndian(block[(i * sizeof(uint))..])
                : words[i - 16] + words[i - 7] + Small(words[i - 15], 7, 18, 3) + Small(words[i - 2], 17, 19, 10);
        }
        uint a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5], g = state[6], h = state[7];
        for (int i = 0; i < Rounds; i++)
        {
            uint one = h + Large(e, 6, 11, 25) + ((e & f) ^ (~e & g)) + Constants[i] + words[i];
            uint two = Large(a, 2, 13, 22) + ((a & b) ^ (a & c) ^ (b & c));
            (h, g, f, e, d, c, b, a) = (g, f, e, d + one, c, b, a, one + two);
        }
        ReadOnlySpan<uint> added = [a, b, c, d, e, f, g, h];
        for (int i = 0; i < added.Length; i++)
            state[i] += added[i];
    }

    private static uint Small(uint x, int first, int second, int shift) => BitOperations.RotateRight(x, first) ^ BitOperations.RotateRight(x, second) ^ (x >> shift);

    private static uint Large(uint x, int first, int second, int third) => BitOperations.RotateRight(x, first) ^ BitOperations.RotateRight(x, second) ^ BitOperations.RotateRight(x, third);
}
