using System.Globalization;
using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Operations;
using Async2.Analysis.Targets;

namespace Async2.Tests.Comparison;

/// <summary>A model of the situation <c>changing</c>, and which operation each of its stacks is, by a variable that the comparison does not see.</summary>
internal sealed record NumberedModel(AsyncModel Model, IReadOnlyDictionary<int, int> Numbers)
{
    public NumberedModel With(bool values) => values ? this : this with { Model = Model.With(Array.Empty<uint>()) };

    public static NumberedModel Of(string target)
    {
        using Target opened = Target.Open(target, new());
        var analyzed = AnalyzedTarget.Analyze(opened, new AnalysisOptions { Coalesce = false, Locals = true, Comparable = true });
        var numbers = new Dictionary<int, int>();
        foreach (LogicalStack stack in analyzed.Snapshot.Stacks)
        {
            if (stack.Frames.Where(frame => frame.Type == "Situations.Changing").SelectMany(frame => frame.Locals).FirstOrDefault(local => local.Name == "number") is { } number)
                numbers[stack.Members[0]] = int.Parse(number.Value, CultureInfo.InvariantCulture);
        }
        return new(analyzed.Model, numbers);
    }
}

/// <summary>
/// How the comparison of two models agrees with what the program did. Of equal operations in one place order tells how many have stayed, and not always
/// which of them: both are counted.
/// </summary>
internal sealed class PairScore
{
    private readonly Dictionary<(string Kind, string Fate), int> _excess = [];
    private readonly Dictionary<string, int> _others = [];

    public int Operations { get; private set; }

    /// <summary>Operations that are counted for another fate than theirs, by method.</summary>
    public int Wrong => _excess.Values.Sum(Math.Abs) / 2;

    /// <summary>Operations of which another fate is said, or that are taken for another one.</summary>
    public int WrongOnes { get; private set; }

    public static PairScore Of(NumberedModel before, NumberedModel after)
    {
        var score = new PairScore();
        StackPairs pairs = StackPairs.Between(before.Model, after.Model, out _);
        int known = before.Numbers.Count;
        foreach ((int stack, int number) in before.Numbers)
        {
            StackPair? pair = pairs.OfBefore(stack);
            score.Add(KindOf(before.Model, stack), FateOf(number), pair is null ? "gone" : pair.Value.IsStuck ? "stuck" : "moved", pair is null || after.Numbers.GetValueOrDefault(pair.Value.After, -1) == number);
        }
        foreach ((int stack, int number) in after.Numbers.Where(now => now.Value >= known))
            score.Add(KindOf(after.Model, stack), "new", pairs.OfAfter(stack) is null ? "new" : "known", true);
        return score;
    }

    public override string ToString() => $"{Operations - Wrong} of {Operations} counted right, {Operations - WrongOnes} known, taken for others: {string.Join(", ", _others.OrderBy(other => other.Key, StringComparer.Ordinal).Select(other => $"{other.Value} {other.Key}"))}; "
        + string.Join("; ", _excess.Where(excess => excess.Value != 0).OrderBy(excess => excess.Key).Select(excess => $"{excess.Key.Kind} {excess.Key.Fate} {excess.Value:+0;-0}"));

    private static string KindOf(AsyncModel model, int stack) => model.Places[model.Stacks.ShapeOf(stack).Places[^1]].Frame.Name ?? "";

    private static string FateOf(int number) => (number / 4 % 10) switch { 6 or 7 => "moved", 8 or 9 => "gone", _ => "stuck" };

    private void Add(string kind, string truth, string said, bool isSame)
    {
        Operations++;
        if (truth != said || !isSame)
            WrongOnes++;
        if (!isSame)
            _others[$"{kind} {said}"] = _others.GetValueOrDefault($"{kind} {said}") + 1;
        _excess[(kind, said)] = _excess.GetValueOrDefault((kind, said)) + 1;
        _excess[(kind, truth)] = _excess.GetValueOrDefault((kind, truth)) - 1;
    }
}
