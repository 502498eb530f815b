namespace Async2.Analysis.Model.Frames;

/// <summary>
/// The parts of a value, not yet read: the fields of an object or a struct, or the elements of an array or a list.
/// Read them with <see cref="AnalyzedTarget.PartsOf"/>.
/// </summary>
public abstract class ValueParts
{
    private protected ValueParts()
    {
    }

    /// <summary>The number of parts, up to the limit of what is read from one object.</summary>
    public int Count { get; init; }

    /// <summary>They are elements, named <c>[0]</c>, <c>[1]</c>, ..., not named fields.</summary>
    public bool IsIndexed { get; init; }

    /// <summary>Address of the object; null for a struct inside another value.</summary>
    public ulong? Address { get; init; }
}
