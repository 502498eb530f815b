using System.Text.RegularExpressions;
using Async2.Analysis.Model.Frames;

namespace Async2.Dump.Hangs;

/// <summary>A line that a CI system shows beside the source: GitHub Actions and Azure Pipelines, known by their variables.</summary>
internal static partial class CiAnnotation
{
    /// <summary>The line; null where no CI system runs that knows any.</summary>
    /// <param name="isError">It is wrong for sure; otherwise a warning.</param>
    /// <param name="file">As the PDB has it.</param>
    /// <param name="line">In it.</param>
    /// <param name="text">One sentence.</param>
    /// <param name="variable">Reads the environment.</param>
    public static string? Of(bool isError, string file, int line, string text, Func<string, string?> variable)
    {
        if (variable("GITHUB_ACTIONS") == "true")
            return FormattableString.Invariant($"::{(isError ? "error" : "warning")} file={Property(Relative(file, variable("GITHUB_WORKSPACE")))},line={line},title=test hangs::{Data(text)}");
        if (string.Equals(variable("TF_BUILD"), "true", StringComparison.OrdinalIgnoreCase))
            return FormattableString.Invariant($"##vso[task.logissue type={(isError ? "error" : "warning")};sourcepath={Azure(Relative(file, variable("BUILD_SOURCESDIRECTORY")))};linenumber={line}]{Azure(text)}");
        return null;
    }

    /// <summary>The frame that it belongs to: the innermost one of the user's code, of a file in the checkout if there is any; null if none has a line.</summary>
    /// <param name="frames">Innermost first.</param>
    /// <param name="variable">Reads the environment.</param>
    public static LogicalFrame? PlaceIn(IReadOnlyList<LogicalFrame> frames, Func<string, string?> variable)
    {
        LogicalFrame[] own = [.. frames.Where(frame => frame is { IsFramework: false, File: not null, Line: not null })];
        // Packages have symbols, too: with paths of the machine where they were built, or with paths that look like those of this checkout.
        string? folder = variable("GITHUB_WORKSPACE") ?? variable("BUILD_SOURCESDIRECTORY");
        return own.FirstOrDefault(frame => folder is { Length: > 0 } && Relative(frame.File!, folder) is var file && file != frame.File && File.Exists(Path.Join(folder, file))) ?? own.FirstOrDefault();
    }

    private static string Relative(string file, string? folder)
    {
        // What a deterministic build writes in place of the checkout's folder.
        if (Mapped().Match(file) is { Success: true, Length: var length })
            return file[length..];
        string root = folder?.TrimEnd('/', '\\') ?? "";
        return root.Length > 0 && file.Length > root.Length && file.StartsWith(root, StringComparison.Ordinal) && file[root.Length] is '/' or '\\' ? file[(root.Length + 1)..] : file;
    }

    [GeneratedRegex(@"^/_\d*/")]
    private static partial Regex Mapped();

    // What a name holds cannot end the command or begin another one.
    private static string Data(string text) => text.Replace("%", "%25", StringComparison.Ordinal).Replace("\r", "%0D", StringComparison.Ordinal).Replace("\n", "%0A", StringComparison.Ordinal);

    private static string Property(string text) => Data(text).Replace(":", "%3A", StringComparison.Ordinal).Replace(",", "%2C", StringComparison.Ordinal);

    private static string Azure(string text) => text.Replace("%", "%AZP25", StringComparison.Ordinal).Replace("\r", "%0D", StringComparison.Ordinal).Replace("\n", "%0A", StringComparison.Ordinal)
        .Replace("]", "%5D", StringComparison.Ordinal).Replace(";", "%3B", StringComparison.Ordinal);
}
