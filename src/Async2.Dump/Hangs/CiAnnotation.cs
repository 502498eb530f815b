namespace Async2.Dump.Hangs;

/// <summary>A line that a CI system shows beside the source: GitHub Actions and Azure Pipelines, known by their variables.</summary>
internal static class CiAnnotation
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

    private static string Relative(string file, string? folder)
        => folder is { Length: > 0 } && file.StartsWith(folder.TrimEnd('/', '\\'), StringComparison.Ordinal) ? file[folder.TrimEnd('/', '\\').Length..].TrimStart('/', '\\') : file;

    // What a name holds cannot end the command or begin another one.
    private static string Data(string text) => text.Replace("%", "%25", StringComparison.Ordinal).Replace("\r", "%0D", StringComparison.Ordinal).Replace("\n", "%0A", StringComparison.Ordinal);

    private static string Property(string text) => Data(text).Replace(":", "%3A", StringComparison.Ordinal).Replace(",", "%2C", StringComparison.Ordinal);

    private static string Azure(string text) => text.Replace("%", "%AZP25", StringComparison.Ordinal).Replace("\r", "%0D", StringComparison.Ordinal).Replace("\n", "%0A", StringComparison.Ordinal)
        .Replace("]", "%5D", StringComparison.Ordinal).Replace(";", "%3B", StringComparison.Ordinal);
}
