using System.Text.RegularExpressions;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Tests.Support;

namespace Async2.Tests.Integration.Runtimes;

/// <summary>Stacks of programs that lay out the objects of other runtimes, beside what those programs say about them.</summary>
internal static partial class LaidOutStacks
{
    /// <summary>Empty when each stack of the truth is there, and no other.</summary>
    public static List<string> Differences(Truth truth, StackView snapshot)
    {
        List<LogicalStack> left = [.. snapshot.Stacks];
        var differences = new List<string>();
        foreach (TruthStack stack in truth.Stacks)
        {
            if (left.FirstOrDefault(s => IsSame(stack, s)) is { } found)
                left.Remove(found);
            else
                differences.Add($"{stack.Scenario}, {stack.Stack}: not found");
        }
        return [.. differences, .. left.Select(s => $"not in the truth: {string.Join(" < ", s.Frames.Select(f => $"{f.Name}:{f.Line}"))}")];
    }

    private static bool IsSame(TruthStack truth, LogicalStack stack)
        => truth.Frames.Count == stack.Frames.Count && truth.Frames.Zip(stack.Frames).All(pair =>
            pair.First.Method == pair.Second.Name && (pair.First.Line == 0 || (pair.First.Line == pair.Second.Line && Path.GetFileName(pair.Second.File) == pair.First.File)));

    /// <summary>All stacks and problems, without what differs from run to run: addresses, threads, numbers of stacks.</summary>
    public static string Text(StackView snapshot)
    {
        IEnumerable<string> stacks = snapshot.Stacks.Select(s => $"{s.State} {s.WaitingOn?.Kind} {s.WaitingOn?.FullText}: {Frames(s)}");
        IEnumerable<string> problems = snapshot.Problems.Select(p => $"! {p.Code} {p.Text}");
        string all = string.Join('\n', [.. stacks.Order(StringComparer.Ordinal), .. problems.Order(StringComparer.Ordinal), $"complete: {snapshot.Complete}", ""]);
        return Address().Replace(all, "0x...");
    }

    private static string Frames(LogicalStack stack) => stack.Frames.Count > 20
        ? $"{stack.Frames.Count} frames"
        : string.Join(" < ", stack.Frames.Select(f => $"{f.Kind} {f.Method}{(f.Line is { } line ? $":{line}" : "")} {f.Exactness}"));

    [GeneratedRegex("0x[0-9a-f]+")]
    private static partial Regex Address();
}
