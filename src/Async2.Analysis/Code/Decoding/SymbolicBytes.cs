using System.Collections.Immutable;

namespace Async2.Analysis.Code.Decoding;

/// <summary>Part of the content of a register or of memory.</summary>
internal readonly record struct SymbolicPart(int At, int Size, Symbol Symbol)
{
    public int End => At + Size;

    /// <summary>The part between two positions; null for nothing.</summary>
    public SymbolicPart? Between(int first, int end)
    {
        int from = Math.Max(first, At), to = Math.Min(end, End);
        return from < to ? new(from, to - from, Symbol.Without(from - At)) : null;
    }
}

/// <summary>The bytes of a register or of memory, in parts of different origin.</summary>
internal sealed record SymbolicBytes(ImmutableArray<SymbolicPart> Parts)
{
    public static SymbolicBytes Nothing { get; } = new([]);

    /// <summary>The first part if it begins at the beginning: the content of a pointer-sized value.</summary>
    public Symbol Leading => Parts.FirstOrDefault(p => p.At == 0).Symbol;

    public static SymbolicBytes Of(Symbol symbol, int size) => new([new SymbolicPart(0, size, symbol)]);

    /// <summary>A range, counted from the beginning.</summary>
    public SymbolicBytes Slice(int at, int size)
        => new([.. Parts.Select(p => p.Between(at, at + size)).OfType<SymbolicPart>().Select(p => p with { At = p.At - at })]);

    /// <summary>A copy with other bytes at a position.</summary>
    /// <param name="at">Where the other bytes begin; may be negative.</param>
    /// <param name="size">Number of bytes.</param>
    /// <param name="bytes">The other bytes.</param>
    public SymbolicBytes With(int at, int size, SymbolicBytes bytes)
    {
        IEnumerable<SymbolicPart?> around = Parts.SelectMany(p => new[] { p.Between(int.MinValue, at), p.Between(at + size, int.MaxValue) });
        IEnumerable<SymbolicPart?> over = bytes.Parts.Select(p => (p with { At = p.At + at }).Between(at, at + size));
        return new([.. around.Concat(over).OfType<SymbolicPart>().OrderBy(p => p.At)]);
    }
}
