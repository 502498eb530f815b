using System.Globalization;
using Async2.Analysis.Comparison;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Ages;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Watching;

namespace Async2.Dump.Watching;

/// <summary>Words of <c>watch</c>, for the screen and for lines.</summary>
internal static class WatchWords
{
    /// <summary>The name of the program; of one that <c>dotnet</c> runs that of its assembly.</summary>
    public static string Program(TargetFacts target)
        => target.CommandLine?.Split(' ') is [_, var assembly, ..] && target.ProcessName == "dotnet" && assembly.EndsWith(".dll", StringComparison.OrdinalIgnoreCase)
            ? Path.GetFileNameWithoutExtension(assembly) : target.ProcessName ?? "process";

    /// <summary><c>412 stacks, 398 stuck, 5 moved, 6 new, 3 gone</c>.</summary>
    public static string Totals(WatchLook look)
    {
        string stacks = DisplayText.Count(look.Groups.Sum(group => group.Stack.Count), "stack");
        return look.Changes is not { } changes ? stacks : $"{stacks}: {Changes(changes)}";
    }

    /// <summary><c>stuck</c> if all of them are, <c>moving</c> if none is, else how many.</summary>
    public static string State(WatchGroup group) => group.Changes is not { } changes ? ""
        : changes.Stuck == 0 ? changes.Before == 0 ? "new" : "moving"
        : changes.Stuck == changes.After ? "still" : DisplayText.Number(changes.Stuck) + " still";

    /// <summary>For how long the oldest waits: <c>31.2 s</c>, <c>&gt; 31 s</c> at least, <c>&lt; 40 s</c> at most; empty if nothing is known.</summary>
    public static string Oldest(WatchGroup group)
    {
        if (group.Age is { IsExact: true } exact)
            return Short(exact.AtLeastMs);
        long least = Math.Max(group.Age?.AtLeastMs ?? 0, group.StillMs);
        return least > 0 ? "> " + Short(least) : group.Age is { AtMostMs: { } most } ? "< " + Short(most) : "";
    }

    /// <summary>The same as a sentence, with what it follows from.</summary>
    public static string OldestWithClock(WatchGroup group)
    {
        string seen = group.StillMs > 0 ? $"seen in this place for {DisplayText.Duration(group.StillMs)}" : "";
        string? age = AgeText.Of(group.Stack with { Age = group.Age }, all: true, clocks: true);
        return string.Join("; ", ((string?[])[age, seen]).Where(part => !string.IsNullOrEmpty(part)));
    }

    /// <summary><c>deadlock (certain), and 2 more findings</c>; null without any.</summary>
    public static string? Findings(WatchLook look)
    {
        if (look.Findings.Length == 0)
            return null;
        Finding worst = look.Findings[0].Finding;
        string more = look.Findings.Length > 1 ? $", and {DisplayText.Count(look.Findings.Length - 1, "more finding")}" : "";
        return $"{worst.Rule} ({DisplayText.Of(worst.Confidence)}){more}";
    }

    private static string Changes(ChangeCounts changes)
    {
        (long Count, string Word)[] parts = [(changes.Stuck, "still"), (changes.Moved, "moved"), (changes.New, "new"), (changes.Gone, "gone")];
        return string.Join(", ", parts.Where(part => part.Count > 0).Select(part => $"{DisplayText.Number(part.Count)} {part.Word}").DefaultIfEmpty("no change"));
    }

    // One unit, as a column has room for: 850 ms, 42 s, 13 min, 5 h, 3 d.
    private static string Short(long milliseconds) => milliseconds switch
    {
        < 1000 => string.Create(CultureInfo.InvariantCulture, $"{milliseconds} ms"),
        < 120_000 => string.Create(CultureInfo.InvariantCulture, $"{milliseconds / 1000} s"),
        < 7_200_000 => string.Create(CultureInfo.InvariantCulture, $"{milliseconds / 60_000} min"),
        < 172_800_000 => string.Create(CultureInfo.InvariantCulture, $"{milliseconds / 3_600_000} h"),
        _ => string.Create(CultureInfo.InvariantCulture, $"{milliseconds / 86_400_000} d"),
    };
}
