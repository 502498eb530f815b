using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Rendering.Text;

/// <summary>Text around the line of a frame: the number of folded framework frames, and its locals.</summary>
internal sealed class FrameDetails(StyledText text)
{
    /// <summary>Spaces between the margin and a local.</summary>
    private const string LocalIndent = "    ";

    /// <summary>Writes the number of folded frames; nothing if there are none.</summary>
    public void WriteFolded(LogicalFrame frame, string margin)
    {
        if (frame.Folded == 0)
            return;
        text.Write(TextRole.Dim, margin);
        text.Write(TextRole.Dim, $"{text.Surface.Ellipsis} {DisplayText.Count(frame.Folded, "framework frame")}");
        text.Line();
    }

    /// <summary>Writes the locals, one per line: <c>name = value  (type)</c>, cut at the width of a terminal.</summary>
    public void WriteLocals(LogicalFrame frame, string margin)
    {
        if (frame.Locals.IsDefaultOrEmpty)
            return;
        foreach (LocalValue local in frame.Locals)
        {
            text.Write(TextRole.Dim, margin);
            text.Write(LocalIndent);
            int room = text.Surface.Width is int width ? Math.Max(1, width - margin.Length - LocalIndent.Length) : int.MaxValue;
            WriteCut(room, (TextRole.Plain, local.Name), (TextRole.Dim, " = "), (TextRole.Count, local.Value), (TextRole.Type, local.Type is null ? "" : $"  ({local.Type})"));
            text.Line();
        }
    }

    private void WriteCut(int room, params (TextRole Role, string Text)[] parts)
    {
        (TextRole Role, string Text)[] safe = [.. parts.Select(part => (part.Role, text.Safe(part.Text)))];
        int left = safe.Sum(part => TextColumns.Of(part.Text)) <= room ? room : room - text.Surface.Ellipsis.Length;
        foreach ((TextRole role, string part) in safe)
        {
            int columns = TextColumns.Of(part);
            if (columns > left)
            {
                text.Write(role, TextColumns.Cut(part, left) + text.Surface.Ellipsis);
                return;
            }
            text.Write(role, part);
            left -= columns;
        }
    }
}
