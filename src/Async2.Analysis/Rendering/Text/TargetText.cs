using System.Globalization;
using Async2.Analysis.Formatting;
using Async2.Analysis.Model;

namespace Async2.Analysis.Rendering.Text;

/// <summary>One line about the target, so that an answer found in a log still shows where it came from.</summary>
public static class TargetText
{
    /// <summary>Writes the line, and in verbose output the layouts that were used.</summary>
    public static void Write(StyledText text, TargetFacts target, bool verbose)
    {
        Paragraph line = new Paragraph(text).Add(TextRole.Dim, DisplayText.Of(target.Kind) + " ").Add(Name(target));
        foreach (string fact in Facts(target))
            line.Add(TextRole.Dim, ", " + fact);
        line.End();
        if (!verbose || target.Layouts.IsDefaultOrEmpty)
            return;
        foreach (LayoutUse layout in target.Layouts)
            new Paragraph(text).Add(TextRole.Dim, $"layout {layout.Contract} {layout.Version}, from {layout.Source}").End();
    }

    private static string Name(TargetFacts target) => target switch
    {
        { Path: string path, Pid: int pid } => target.Kind == TargetKind.Process ? $"{Digits(pid)} ({path})" : $"{path} (pid {Digits(pid)})",
        { Path: string path } => path,
        { Pid: int pid } => Digits(pid),
        _ => "of unknown origin",
    };

    private static IEnumerable<string> Facts(TargetFacts target)
    {
        yield return target.Runtime is null ? "runtime of unknown version" : ".NET " + target.Runtime;
        yield return target.Os + " " + target.Architecture;
        if (!target.Families.IsDefaultOrEmpty)
            yield return string.Join(" + ", target.Families);
        if (target.Looks is { } looks)
            yield return Looks(looks, target.ApartMs);
        if (target.FreezeMs is double freeze)
            yield return "frozen for " + freeze.ToString("#,##0.#", CultureInfo.InvariantCulture) + " ms";
        else if (target.Kind == TargetKind.Process)
            yield return target.Held ? "held by a debugger" : "not frozen";
    }

    private static string Looks(int looks, long? apart)
        => DisplayText.Count(looks, "look") + (apart is not { } ms ? "" : looks > 2 ? $" in {WaitNumbers.Duration(ms)}" : $", {WaitNumbers.Duration(ms)} apart");

    private static string Digits(int pid) => pid.ToString(CultureInfo.InvariantCulture);
}
