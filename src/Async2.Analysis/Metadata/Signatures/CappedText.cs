namespace Async2.Analysis.Metadata.Signatures;

/// <summary>Names from a target may be of any length; nothing that leaves this folder is longer than the cap.</summary>
internal static class CappedText
{
    /// <summary>Longest name, in chars. Roslyn itself refuses identifiers beyond 1,023.</summary>
    public const int MaxLength = 2048;

    /// <summary>Ends a name that was cut.</summary>
    public const string CutMark = "\u2026";

    public static string Cap(string text) =>
        text.Length <= MaxLength ? text : string.Concat(text.AsSpan(0, MaxLength - CutMark.Length), CutMark);
}
