namespace Async2.Analysis.Values;

/// <summary>
/// What a value is made of, not yet read: the fields of an object or a struct, or the elements of an array or a list. Whoever has
/// analyzed the target answers for it, <see cref="AnalyzedTarget.PartsOf"/>.
/// </summary>
public sealed class ValueParts
{
    internal ValueParts(DeclaredType type) => Type = type;

    /// <summary>How many there are; at most what an object can be asked for in a session of looking at it.</summary>
    public int Count { get; init; }

    /// <summary>They are elements, called <c>[0]</c>, <c>[1]</c>, ..., and not fields with names.</summary>
    public bool IsIndexed { get; init; }

    /// <summary>Address of the object; null for a struct that lies in something else.</summary>
    public ulong? Address { get; init; }

    /// <summary>Type of what has the fields, or of the elements.</summary>
    internal DeclaredType Type { get; }

    /// <summary>Bytes of a struct; of an object they are read when somebody asks.</summary>
    internal ValueBytes Bytes { get; init; }

    /// <summary>Address of the first element.</summary>
    internal ulong FirstElement { get; init; }

    /// <summary>Bytes from one element to the next.</summary>
    internal int ElementSize { get; init; }
}
