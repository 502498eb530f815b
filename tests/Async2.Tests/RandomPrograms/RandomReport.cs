namespace Async2.Tests.RandomPrograms;

/// <summary>The figures of some runs in one line.</summary>
internal static class RandomReport
{
    public static string Line(string name, IReadOnlyList<RandomResult> results)
    {
        int Sum(params string[] words) => results.Sum(r => r.Sum(words));
        int physical = Sum("Continuation");
        int right = Sum("Continuation", "right");
        string elided = string.Join(", ", new[] { "Exact", "Order", "Approximate" }.Select(e => $"{e} {Sum("Elided", e, "right")}/{Sum("Elided", e, "wrong")}/{Sum("Elided", e, "invented")}"));
        return $"{name}: frames {physical}, right {right} ({100.0 * right / Math.Max(1, physical):F2} %), exact wrong {Sum("Continuation", "Exact", "wrong")}, "
            + $"order {Sum("Continuation", "Order", "right")}/{Sum("Continuation", "Order", "wrong")}, "
            + $"approximate {Sum("Continuation", "Approximate", "right")}/{Sum("Continuation", "Approximate", "wrong")}, none {Sum("Continuation", "None")}, invented {Sum("Continuation", "invented")}; "
            + $"elided right/wrong/invented: {elided}, unplaced {Sum("Elided", "unplaced")}/invented {Sum("Elided", "None", "invented")}; "
            + $"missing {Sum("missing")}, stacks lost {Sum("stack", "lost")}, unknown {Sum("stack", "unknown")}, gaps {Sum("problem", "A2D2005")}";
    }
}
