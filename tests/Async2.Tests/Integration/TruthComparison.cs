using Async2.Analysis.Code;
using Async2.Analysis.Snapshots;
using Async2.Analysis.Stacks;
using Async2.Tests.Support;

namespace Async2.Tests.Integration;

/// <summary>
/// Holds a snapshot against the truth of the scenario program: each stack found is laid beside the recorded stack of its file
/// that it fits best, frame by frame.
/// </summary>
internal sealed class TruthComparison
{
    private readonly List<string> _wrong = [];

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

    /// <summary>Recorded frames that should be found (those that stay classic state machines are not this version's).</summary>
    public int Recorded { get; private set; }

    /// <summary>Frames that claim to be exact and are not where the program says.</summary>
    public int WrongButExact { get; private set; }

    /// <summary>One line for each frame that is not right.</summary>
    public IReadOnlyList<string> Wrong => _wrong;

    public int Found => PhysicalRight + ElidedRight;

    public static TruthComparison Of(AsyncSnapshot snapshot, Truth truth)
    {
        var result = new TruthComparison { Recorded = truth.Stacks.Sum(s => s.Frames.Count(f => f.Kind is null)) };
        var byScenario = truth.Stacks.GroupBy(s => s.Scenario).ToDictionary(g => g.Key, g => g.ToList());
        var found = snapshot.Stacks.Where(s => s.Frames.Any(IsUser))
            .GroupBy(s => Path.GetFileNameWithoutExtension(s.Frames.First(IsUser).File ?? ""));
        foreach (var group in found)
            result.CompareScenario(group.Key, [.. group], byScenario.GetValueOrDefault(group.Key) ?? []);
        return result;
    }

    // The program's own support code is not what is looked for.
    private static bool IsUser(LogicalFrame frame)
        => frame is { Module: "Scenarios.dll" or "Scenarios.Classic.dll" }
            && frame.Type?.StartsWith("Scenarios.Support.", StringComparison.Ordinal) != true;

    private void CompareScenario(string scenario, List<LogicalStack> stacks, List<TruthStack> truths)
    {
        // Best fit first; a recorded frame counts once, so two halves of one recorded stack can both find their place.
        var free = truths.Select(t => t.Frames.ToList<TruthFrame?>()).ToList();
        var frames = stacks.Select(s => s.Frames.Where(IsUser).ToList()).ToList();
        while (frames.Count > 0)
        {
            var best = frames.SelectMany((own, i) => free.Select((recorded, j) => (i, j, pairs: Alignment.Of(own, recorded))))
                .DefaultIfEmpty((i: 0, j: -1, pairs: []))
                .MaxBy(x => x.pairs.Count);
            Count(scenario, frames[best.i], best.pairs, best.j < 0 ? [] : free[best.j]);
            foreach ((_, int recorded) in best.pairs)
                free[best.j][recorded] = null;
            frames.RemoveAt(best.i);
        }
    }

    private void Count(string scenario, List<LogicalFrame> own, IReadOnlyList<(int Own, int Recorded)> pairs, List<TruthFrame?> recorded)
    {
        var right = pairs.ToDictionary(p => p.Own, p => p.Recorded);
        for (int i = 0; i < own.Count; i++)
        {
            bool isElided = own[i].Kind == FrameKind.Elided;
            Physical += isElided ? 0 : 1;
            if (right.ContainsKey(i))
            {
                PhysicalRight += isElided ? 0 : 1;
                ElidedRight += isElided ? 1 : 0;
                continue;
            }
            bool methodIsThere = recorded.Any(r => r is not null && Alignment.IsSameMethod(own[i], r));
            ElidedWithoutLine += isElided && own[i].Exactness != Exactness.Exact && methodIsThere ? 1 : 0;
            WrongButExact += own[i].Exactness == Exactness.Exact ? 1 : 0;
            string where = string.Join(" < ", recorded.Select(r => r is null ? "-" : $"{r.Method}:{r.Line}#{r.Site}"));
            _wrong.Add($"{scenario}: {own[i].Kind} {own[i].Method}:{own[i].Line}#{own[i].AwaitNumber} {own[i].Exactness}  recorded: {where}");
        }
    }
}
