using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Query;
using Async2.Tests.Support;

namespace Async2.Tests.Integration;

/// <summary>
/// Holds a snapshot against the truth of the scenario program: each stack found is laid beside the recorded stack of its file
/// that it fits best, frame by frame.
/// </summary>
internal sealed class TruthComparison
{
    private readonly List<string> _wrong = [];
    private readonly List<string> _missing = [];

    private TruthComparison()
    {
    }

    /// <summary>Frames that are in memory and belong to the user's code.</summary>
    public int Physical { get; private set; }

    /// <summary>Those of them that are shown at their recorded await.</summary>
    public int PhysicalRight { get; private set; }

    /// <summary>Frames recovered although they are not in memory, at their recorded await.</summary>
    public int ElidedRight { get; private set; }

    /// <summary>Frames recovered whose method is right and whose line is not known.</summary>
    public int ElidedWithoutLine { get; private set; }

    /// <summary>Recorded frames: all of them should be found.</summary>
    public int Recorded { get; private set; }

    /// <summary>Frames that claim to be exact and are not where the program says.</summary>
    public int WrongButExact { get; private set; }

    /// <summary>One line for each frame that is not right.</summary>
    public IReadOnlyList<string> Wrong => _wrong;

    /// <summary>One line for each recorded frame that was not found.</summary>
    public IReadOnlyList<string> Missing => _missing;

    public int Found => PhysicalRight + ElidedRight;

    public static TruthComparison Of(StackView snapshot, Truth truth)
    {
        var result = new TruthComparison { Recorded = truth.Stacks.Sum(s => s.Frames.Count) };
        var byScenario = truth.Stacks.GroupBy(s => s.Scenario).ToDictionary(g => g.Key, g => g.ToList());
        var found = snapshot.Stacks.Where(s => s.Frames.Any(IsUser))
            .GroupBy(s => Path.GetFileNameWithoutExtension(s.Frames.First(IsUser).File ?? ""));
        foreach (var group in found)
        {
            result.CompareScenario(group.Key, [.. group], byScenario.GetValueOrDefault(group.Key) ?? []);
            byScenario.Remove(group.Key);
        }
        result._missing.AddRange(byScenario.Keys.Select(scenario => $"{scenario}: nothing was found"));
        return result;
    }

    // The program's own support code is not what is looked for, and the truth knows nothing of threads that block.
    public static bool IsUser(LogicalFrame frame)
        => frame is { Module: "Scenarios.dll" or "Scenarios.Classic.dll", Kind: not FrameKind.Thread }
            && frame.Type?.StartsWith("Scenarios.Support.", StringComparison.Ordinal) != true;

    private void CompareScenario(string scenario, List<LogicalStack> stacks, List<TruthStack> truths)
    {
        // Best fit first. A recorded frame counts once; what is left of a found stack may fit another recorded one, because a stack
        // that several wait for is recorded on its own and shown with the first of them.
        var free = truths.Select(t => t.Frames.ToList<TruthFrame?>()).ToList();
        var frames = stacks.Select(s => s.Frames.Where(IsUser).ToList()).ToList();
        while (frames.Count > 0)
        {
            var best = frames.SelectMany((own, i) => free.Select((recorded, j) => (i, j, pairs: Alignment.Of(own, recorded))))
                .DefaultIfEmpty((i: 0, j: -1, pairs: []))
                .MaxBy(x => x.pairs.Count);
            if (best.pairs.Count == 0)
                break;
            CountRight(frames[best.i], best.pairs);
            foreach ((_, int recorded) in best.pairs)
                free[best.j][recorded] = null;
            var matched = best.pairs.Select(p => p.Own).ToHashSet();
            frames[best.i] = [.. frames[best.i].Where((_, index) => !matched.Contains(index))];
        }
        List<TruthFrame> unmatched = [.. free.SelectMany(f => f).OfType<TruthFrame>()];
        foreach (LogicalFrame frame in frames.SelectMany(f => f))
            CountWrong(scenario, frame, unmatched);
        _missing.AddRange(unmatched.Select(r => $"{scenario}: {r.Method}:{r.Line} was not found"));
    }

    private void CountRight(List<LogicalFrame> own, IReadOnlyList<(int Own, int Recorded)> pairs)
    {
        int elided = pairs.Count(p => own[p.Own].Kind == FrameKind.Elided);
        ElidedRight += elided;
        Physical += pairs.Count - elided;
        PhysicalRight += pairs.Count - elided;
    }

    private void CountWrong(string scenario, LogicalFrame own, List<TruthFrame> unmatched)
    {
        bool isElided = own.Kind == FrameKind.Elided;
        Physical += isElided ? 0 : 1;
        ElidedWithoutLine += isElided && own.Exactness != Exactness.Exact && unmatched.Any(r => Alignment.IsSameMethod(own, r)) ? 1 : 0;
        WrongButExact += own.Exactness == Exactness.Exact ? 1 : 0;
        string recorded = string.Join(", ", unmatched.Select(r => $"{r.Method}:{r.Line}#{r.Site}"));
        _wrong.Add($"{scenario}: {own.Kind} {own.Method}:{own.Line}#{own.AwaitNumber} {own.Exactness}  not found: {recorded}");
    }
}
