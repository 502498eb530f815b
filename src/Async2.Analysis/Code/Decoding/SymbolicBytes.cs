using System.Collections.Immutable;

namespace Async2.Analysis.Code.Decoding;

/// <summary>Part of what a register or a stretch of memory holds.</summary>
internal readonly record struct SymbolicPart(int At, int Size, Symbol Symbol)
{
    public int End => At + Size;

    /// <summary>What of it lies between two positions; null for nothing.</summary>
    public SymbolicPart? Between(int first, int end)
    {
        int from = Math.Max(first, At), to = Math.Min(end, End);
        return from < to ? new(from, to - from, Symbol.Without(from - At)) : null;
    }
}

/// <summary>The bytes of a register or of memory, in parts that come from different places.</summary>
internal sealed record SymbolicBytes(ImmutableArray<SymbolicPart> Parts)
{
    public static SymbolicBytes Nothing { get; } = new([]);

    /// <summary>The first part if it begins at the beginning: what a pointer-sized value is.</summary>
    public Symbol Leading => Parts.FirstOrDefault(p => p.At == 0).Symbol;

    public static SymbolicBytes Of(Symbol symbol, int size) => new([new SymbolicPart(0, size, symbol)]);

    /// <summary>A stretch, counted from its own beginning.</summary>
    public SymbolicBytes Slice(int at, int size)
        => new([.. Parts.Select(p => p.Between(at, at + size)).OfType<SymbolicPart>().Select(p => p with { At = p.At - at })]);

    /// <summary>The same with other bytes over a part of it.</summary>
    /// <param name="at">Where the others begin; may be negative.</param>
    /// <param name="size">How many.</param>
    /// <param name="bytes">The others.</param>
    public SymbolicBytes With(int at, int size, SymbolicBytes bytes)
    {
        IEnumerable<SymbolicPart?> around = Parts.SelectMany(p => new[] { p.Between(int.MinValue, at), p.Between(at + size, int.MaxValue) });
        IEnumerable<SymbolicPart?> over = bytes.Parts.Select(p => (p with { At = p.At + at }).Between(at, at + size));
        return new([.. around.Concat(over).OfType<SymbolicPart>().OrderBy(p => p.At)]);
    }
}
