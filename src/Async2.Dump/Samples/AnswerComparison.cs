using System.Text.Json;

namespace Async2.Dump.Samples;

/// <summary>Whether two JSON answers show the same stacks: everything but addresses, ids and order.</summary>
/// <param name="Stacks">Stacks in each of the two.</param>
/// <param name="OnlyFirst">Stacks that only the first has, as <c>398x awaiting A:12 &lt; B:7</c>.</param>
/// <param name="OnlySecond">Stacks that only the second has.</param>
internal sealed record AnswerComparison((long First, long Second) Stacks, IReadOnlyList<string> OnlyFirst, IReadOnlyList<string> OnlySecond)
{
    /// <summary>Whether nothing differs.</summary>
    public bool IsComplete => OnlyFirst.Count + OnlySecond.Count == 0 && Stacks.First == Stacks.Second;

    /// <summary>Compares two answers in <c>async2.stacks/1</c>.</summary>
    public static AnswerComparison Of(string first, string second)
    {
        using JsonDocument a = JsonDocument.Parse(first), b = JsonDocument.Parse(second);
        List<string> inA = Signatures(a), inB = Signatures(b);
        return new AnswerComparison((Total(a), Total(b)), [.. inA.Except(inB)], [.. inB.Except(inA)]);
    }

    private static long Total(JsonDocument answer) => answer.RootElement.GetProperty("totals").GetProperty("stacks").GetInt64();

    private static List<string> Signatures(JsonDocument answer)
        => [.. answer.RootElement.GetProperty("stacks").EnumerateArray().Select(Stack).Order(StringComparer.Ordinal)];

    private static string Stack(JsonElement stack)
        => $"{stack.GetProperty("count")}x {stack.GetProperty("state")} {string.Join(" < ", stack.GetProperty("frames").EnumerateArray().Select(Frame))}";

    private static string Frame(JsonElement frame)
        => frame.TryGetProperty("line", out JsonElement line) ? $"{frame.GetProperty("method")}:{line}" : frame.GetProperty("method").ToString();
}
