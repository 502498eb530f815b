using Async2.Analysis.Rendering.Text;
using Async2.Dump.Terminals;

namespace Async2.Dump.Doctor;

/// <summary>How output will look.</summary>
internal sealed class TerminalCheck : ICheck
{
    public IEnumerable<CheckResult> Run(DoctorContext context)
    {
        StyledText sink = context.Session.Text(toFile: false)(TextWriter.Null);
        string style = sink is AnsiText ? "colours" : "no colours";
        string characters = sink.Surface.Ascii ? "ASCII" : "Unicode";
        string width = sink.Surface.Width is int columns ? DisplayText.Count(columns, "column") : "not a terminal: no line is cut";
        yield return CheckResult.Ok("terminal", $"{style}, {characters}, {width}");
    }
}
