using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Values;

/// <summary>Parts of a value with what it takes to read them.</summary>
/// <param name="type">Type of what has the fields, or of the elements.</param>
internal sealed class UnreadParts(DeclaredType type) : ValueParts
{
    /// <summary>Type of what has the fields, or of the elements.</summary>
    public DeclaredType Type { get; } = type;

    /// <summary>Bytes of a struct; of an object they are read when somebody asks.</summary>
    public ValueBytes Bytes { get; init; }

    /// <summary>Address of the first element.</summary>
    public ulong FirstElement { get; init; }

    /// <summary>Bytes from one element to the next.</summary>
    public int ElementSize { get; init; }
}
