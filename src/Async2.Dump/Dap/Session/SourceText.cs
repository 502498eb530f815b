using System.Globalization;
using System.Text;
using Async2.Analysis.Model.Frames;
using Async2.Dump.Dap.Protocol;

namespace Async2.Dump.Dap.Session;

/// <summary>
/// The text that an editor shows if there is no source file. It begins at the line that the frame has in its real file, so
/// that the frame list shows the real line and a click on it still shows the text.
/// </summary>
internal static class SourceText
{
    private const int LastLine = 20_000;

    /// <summary>The line at which the text of a frame begins.</summary>
    public static int LineOf(LogicalFrame frame) => frame.Line is { } line and > 0 and <= LastLine ? line : 1;

    /// <param name="frame">A frame without a source file here.</param>
    /// <param name="mapped">Path according to sourceFileMap; null for the PDB's path.</param>
    public static string Of(LogicalFrame frame, string? mapped)
    {
        var text = new StringBuilder().Append('\n', LineOf(frame) - 1);
        Add(text, "Method", frame.Method);
        if (frame.File is { } file)
            Add(text, "Source", frame.Line is { } line ? string.Create(CultureInfo.InvariantCulture, $"{file}:{line}") : file);
        Add(text, "Module", frame.Module ?? "not known");
        if (frame.ILOffset is { } offset)
            Add(text, "Await at", "IL_" + offset.ToString("x4", CultureInfo.InvariantCulture));
        Add(text, "Place is", frame.Kind == FrameKind.Thread ? "where the thread is now" : ExactnessText(frame.Exactness));
        if (frame.Kind == FrameKind.Elided)
            Add(text, "Frame is", "not in memory: removed by the JIT, proven by the IL");
        return text.Append('\n').Append(Why(frame, mapped)).Append('\n').ToString();
    }

    private static void Add(StringBuilder text, string what, string value) => text.Append(what.PadRight(9)).Append(' ').Append(DapText.Name(value)).Append('\n');

    private static string ExactnessText(Exactness exactness) => exactness switch
    {
        Exactness.Exact => "exact",
        Exactness.Order => "distinguished from other awaits by their order",
        Exactness.Approximate => "the most likely of several",
        _ => "unknown: only the method is known",
    };

    private static string Why(LogicalFrame frame, string? mapped)
    {
        if (frame.File is null)
            return frame.IsFramework ? "This is code of .NET, for which there is no source." : $"No PDB of {DapText.Name(frame.Module ?? "this module")} was found: set symbolPath to the folder that holds it.";
        return mapped is null
            ? "This file does not exist on this machine: set sourceFileMap to its folder here."
            : $"This file does not exist on this machine, and neither does {DapText.Name(mapped)}, where sourceFileMap points.";
    }
}
