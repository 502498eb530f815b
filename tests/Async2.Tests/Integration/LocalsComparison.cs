using System.Collections.Immutable;
using System.Text.RegularExpressions;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Tests.Support;

namespace Async2.Tests.Integration;

/// <summary>Holds arguments and locals that were found against those that the scenario program recorded.</summary>
internal sealed partial class LocalsComparison
{
    private readonly List<string> _wrong = [];
    private readonly List<string> _missing = [];

    /// <summary>Recorded variables of frames that are in memory.</summary>
    public int Recorded { get; private set; }

    public int Right { get; private set; }

    /// <summary>One line for each variable with another value or type than recorded.</summary>
    public IReadOnlyList<string> Wrong => _wrong;

    /// <summary>One line for each that was not found.</summary>
    public IReadOnlyList<string> Missing => _missing;

    /// <summary>Right ones that are told by the order in which they were saved.</summary>
    public int ByOrder { get; private set; }

    /// <summary>Share of those right among those that can be found.</summary>
    /// <param name="lost">Scenario, method, type and name of variables that nobody can find; each counts only where it is not found.</param>
    public double ShareBut(string[] lost)
        => (double)Right / Math.Max(1, Recorded - Missing.Count(m => lost.Any(l => Place().Replace(m, "").StartsWith(l + " ", StringComparison.Ordinal))));

    public double Share => Recorded == 0 ? 0 : (double)Right / Recorded;

    /// <summary>The table's row for a mode.</summary>
    public string Row(string mode) => $"| {mode} | {Recorded} | {Right} ({100 * Share:F1} %) | {ByOrder} | {Wrong.Count} | {Missing.Count} |";

    public static LocalsComparison Of(IEnumerable<LogicalStack> stacks, Truth truth)
    {
        var result = new LocalsComparison();
        List<List<LogicalFrame>> free = [.. stacks.Select(s => s.Frames.Where(TruthComparison.IsUser).ToList()).Where(f => f.Count > 0)];
        foreach (TruthStack recorded in truth.Stacks.Where(s => s.Frames.Any(f => f.Locals is not null)))
        {
            // Stacks with the same lines are distinguished by their values; each is used once.
            var best = free.Select(own => (own, pairs: Alignment.Of(own, [.. recorded.Frames])))
                .Where(c => c.pairs.Count > 0)
                .DefaultIfEmpty()
                .MaxBy(c => c.own is null ? default : (c.pairs.Count, c.pairs.Sum(p => RightIn(c.own[p.Own].Locals, recorded.Frames[p.Recorded]))));
            if (best.own is null)
                continue;
            free.Remove(best.own);
            foreach ((int own, int frame) in best.pairs.Where(p => best.own[p.Own].Kind != FrameKind.Elided))
                result.Count($"{recorded.Scenario}.{recorded.Frames[frame].Method}:{recorded.Frames[frame].Line}", best.own[own].Locals, recorded.Frames[frame]);
        }
        return result;
    }

    /// <summary>How many of a frame's recorded variables are among those found.</summary>
    public static int RightIn(ImmutableArray<LocalValue> found, TruthFrame frame) => Compare(found, frame).Count(r => r.IsRight);

    /// <summary>Adds a frame to the figures.</summary>
    public void Count(string place, ImmutableArray<LocalValue> found, TruthFrame frame)
    {
        foreach ((TruthLocal recorded, LocalValue? own, bool isRight) in Compare(found, frame))
        {
            Recorded++;
            Right += isRight ? 1 : 0;
            ByOrder += isRight && own!.Exactness == Exactness.Order ? 1 : 0;
            if (own is null)
                _missing.Add($"{place}: {recorded.Type} {recorded.Name} = {recorded.Value} was not found");
            else if (!isRight)
                _wrong.Add($"{place}: {own.Type} {own.Name} = {own.Value}, not {recorded.Type} {recorded.Value}");
        }
    }

    private static IEnumerable<(TruthLocal Recorded, LocalValue? Own, bool IsRight)> Compare(ImmutableArray<LocalValue> found, TruthFrame frame)
    {
        foreach (TruthLocal recorded in frame.Locals ?? [])
        {
            LocalValue? own = found.FirstOrDefault(l => l.Name == recorded.Name);
            yield return (recorded, own, own is not null && own.Type == recorded.Type && Address().Replace(own.Value, "{object}") == recorded.Value);
        }
    }

    [GeneratedRegex(":[0-9]+:")]
    private static partial Regex Place();

    [GeneratedRegex(@"\{0x[0-9a-f]+\}")]
    private static partial Regex Address();
}
