using System.Text.RegularExpressions;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Query;
using Async2.Tests.Support;

namespace Async2.Tests.Integration.Runtimes;

/// <summary>
/// Holds an answer against what dumps/TaskletFixture says of itself: each stack is there with exactly these frames, lines, states and
/// objects, and there is no other stack.
/// </summary>
internal static partial class TaskletsComparison
{
    /// <summary>One line for each difference.</summary>
    /// <param name="truth">Stacks to be found.</param>
    /// <param name="snapshot">The answer; may be coalesced.</param>
    public static List<string> Differences(IEnumerable<TruthStack> truth, StackView snapshot)
    {
        var differences = new List<string>();
        List<LogicalStack> left = [.. snapshot.Stacks];
        var names = new Dictionary<string, string>();
        var pairs = new List<(TruthStack Recorded, LogicalStack Found)>();
        foreach (TruthStack recorded in truth)
        {
            if (left.Where(s => Frames(s) == Frames(recorded)).MinBy(s => DifferencesIn(recorded, s).Count()) is not { } found)
            {
                differences.Add($"{recorded.Stack}: not found: {Frames(recorded)}");
                continue;
            }
            left.Remove(found);
            names[found.Id] = recorded.Stack;
            pairs.Add((recorded, found));
            differences.AddRange(DifferencesIn(recorded, found).Select(d => $"{recorded.Stack}: {d}"));
        }
        differences.AddRange(left.Select(s => $"not in the truth: {Frames(s)}"));
        foreach ((TruthStack recorded, LogicalStack found) in pairs)
        {
            string awaitedBy = string.Join(", ", found.AwaitedBy.Select(id => names.GetValueOrDefault(id, id)).Order(StringComparer.Ordinal));
            if (awaitedBy != string.Join(", ", recorded.AwaitedBy ?? []))
                differences.Add($"{recorded.Stack}: awaited by {awaitedBy}");
        }
        return differences;
    }

    /// <summary>Fails with all lines that there are.</summary>
    public static void AssertNone(IEnumerable<string> differences)
    {
        string all = string.Join('\n', differences);
        Assert.True(all.Length == 0, all);
    }

    /// <summary>Innermost first; the form of the truth.</summary>
    public static string Frames(LogicalStack stack)
        => string.Join(" < ", stack.Frames.Select(f => $"{f.Name}@{Path.GetFileName(f.File)}:{f.Line ?? 0} {f.Kind}"));

    public static string Frames(TruthStack stack) => string.Join(" < ", stack.Frames.Select(Frame));

    public static string Frame(TruthFrame frame) => $"{frame.Method}@{frame.File}:{frame.Line} {KindOf(frame)}";

    private static FrameKind KindOf(TruthFrame frame) => frame.Kind switch
    {
        "classic" => FrameKind.StateMachine,
        "thread" => FrameKind.Thread,
        _ => FrameKind.Tasklet,
    };

    private static IEnumerable<string> DifferencesIn(TruthStack recorded, LogicalStack found)
    {
        if (recorded.State is { } state && !found.State.ToString().Equals(state, StringComparison.OrdinalIgnoreCase))
            yield return $"{found.State}, not {state}";
        if (found.Count != (recorded.Count ?? 1))
            yield return $"{found.Count} times, not {recorded.Count ?? 1}";
        if (recorded.Leaf is "TaskCompletionSource" or "SemaphoreSlim" or "Task.Delay" && found.WaitingOn?.Text.StartsWith(recorded.Leaf, StringComparison.Ordinal) != true)
            yield return $"waits for {found.WaitingOn?.Text}, not {recorded.Leaf}";
        foreach ((TruthFrame frame, LogicalFrame own) in recorded.Frames.Zip(found.Frames).Where(p => KindOf(p.First) == FrameKind.Tasklet))
        {
            foreach (TruthLocal local in frame.Locals ?? [])
            {
                if (!own.Locals.Any(l => IsSame(local, l)))
                    yield return $"{Frame(frame)}: {local.Type} {local.Name} = {local.Value} is not among {string.Join(", ", own.Locals.Select(l => $"{l.Type} {l.Name} = {l.Value}"))}";
            }
        }
    }

    // What the tasklet itself lists has no name.
    private static bool IsSame(TruthLocal recorded, LocalValue found)
        => found.Type == recorded.Type && Address().Replace(found.Value, "{object}") == recorded.Value
            && (found.Name == recorded.Name || found.Name.StartsWith('['));

    [GeneratedRegex(@"\{0x[0-9a-f]+\}")]
    private static partial Regex Address();
}
