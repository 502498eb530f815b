namespace Async2.Analysis.Values;

/// <summary>Bytes of a variable; some may be unknown, because the JIT saved only what the method still needs.</summary>
/// <param name="Bytes">The bytes.</param>
/// <param name="Known">Which of them are known; null for all.</param>
internal readonly record struct ValueBytes(ReadOnlyMemory<byte> Bytes, ReadOnlyMemory<bool>? Known = null)
{
    public int Length => Bytes.Length;

    /// <summary>A part; what lies behind the end is left out.</summary>
    public ValueBytes Slice(int at, int size)
    {
        int start = Math.Clamp(at, 0, Bytes.Length), length = Math.Clamp(size, 0, Bytes.Length - start);
        return new(Bytes.Slice(start, length), Known?.Slice(start, length));
    }

    /// <summary>So many bytes from the beginning; empty when one of them is not known.</summary>
    public ReadOnlySpan<byte> First(int size)
        => size <= Bytes.Length && (Known is not { } known || !known.Span[..size].Contains(false)) ? Bytes.Span[..size] : [];
}
