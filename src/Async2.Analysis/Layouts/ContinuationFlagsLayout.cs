using Async2.Analysis.Layouts.Descriptions;

namespace Async2.Analysis.Layouts;

/// <summary>
/// What the bits of .NET 11's <c>ContinuationFlags</c> mean, from the enum's literals: they were renumbered between previews. Some
/// bits say where in its data a continuation keeps contexts and an exception: index 1 is the first pointer, 0 that there is none.
/// </summary>
internal sealed class ContinuationFlagsLayout
{
    public const string TypeName = "System.Runtime.CompilerServices.ContinuationFlags";

    // The execution context and the exception of the method; not what it waits for.
    private static readonly (string Literal, string Described)[] Kept =
    [
        ("ExecutionContextIndex", "ContinuationExecutionContextIndex"),
        ("ContinuationContextIndex", "ContinuationContextIndex"),
        ("ExceptionIndex", "ContinuationExceptionIndex"),
    ];

    private readonly List<(int FirstBit, uint Mask)> _slots = [];

    /// <param name="literals">Members of the enum, by name; null if the target has no such enum.</param>
    /// <param name="facts">What descriptions say: those of the target are believed first, what is built in last.</param>
    public ContinuationFlagsLayout(IReadOnlyDictionary<string, long>? literals, LayoutFacts facts)
    {
        foreach ((string literal, string described) in Kept)
        {
            if (Number(literals, facts, literal, described, "FirstBit") is { } first && Number(literals, facts, literal, described, "NumBits") is { } bits
                && first is >= 0 and < 32 && bits > 0 && first + bits <= 32)
                _slots.Add(((int)first, (uint)((1ul << (int)bits) - 1)));
        }
    }

    private static long? Number(IReadOnlyDictionary<string, long>? literals, LayoutFacts facts, string literal, string described, string word)
    {
        GlobalFact? fact = facts.Global(described + word);
        bool isBelievedFirst = fact is { Source.Kind: < LayoutSourceKind.Metadata };
        return !isBelievedFirst && literals is not null && literals.TryGetValue(literal + word, out long own) ? own : fact?.Value.Number;
    }

    /// <summary>Whether a pointer in the data is one of those.</summary>
    /// <param name="flags">Of the continuation.</param>
    /// <param name="index">Which pointer, from 0.</param>
    public bool IsKept(uint flags, int index)
    {
        foreach ((int first, uint mask) in _slots)
        {
            if ((flags >> first & mask) == (uint)index + 1)
                return true;
        }
        return false;
    }
}
