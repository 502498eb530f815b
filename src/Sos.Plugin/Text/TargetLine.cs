using System.Globalization;
using Async2.Analysis.Rendering;
using Async2.Analysis.Snapshots;

namespace Async2.Sos.Text;

/// <summary>One line about what was looked at. Where it came from the debugger knows.</summary>
internal static class TargetLine
{
    public static void Write(StyledText text, TargetFacts target)
    {
        var facts = new List<string> { Words.Of(target.Kind) + (target.Pid is { } pid ? " " + pid.ToString(CultureInfo.InvariantCulture) : "") };
        facts.Add(target.Runtime is null ? "runtime of unknown version" : ".NET " + target.Runtime);
        facts.Add($"{target.Os} {target.Architecture}");
        if (!target.Families.IsDefaultOrEmpty)
            facts.Add(string.Join(" + ", target.Families));
        new Paragraph(text).Add(TextRole.Dim, string.Join(", ", facts)).End();
    }
}
