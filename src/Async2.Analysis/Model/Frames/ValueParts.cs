namespace Async2.Analysis.Model.Frames;

/// <summary>
/// What a value is made of, not yet read: the fields of an object or a struct, or the elements of an array or a list. Whoever has
/// analyzed the target answers for it, <see cref="AnalyzedTarget.PartsOf"/>.
/// </summary>
public abstract class ValueParts
{
    private protected ValueParts()
    {
    }

    /// <summary>How many there are; at most what an object can be asked for in a session of looking at it.</summary>
    public int Count { get; init; }

    /// <summary>They are elements, called <c>[0]</c>, <c>[1]</c>, ..., and not fields with names.</summary>
    public bool IsIndexed { get; init; }

    /// <summary>Address of the object; null for a struct that lies in something else.</summary>
    public ulong? Address { get; init; }
}
