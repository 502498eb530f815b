using System.Text.RegularExpressions;

namespace Async2.Tests.House;

/// <summary>Literary or private words, with what a .NET diagnostics engineer would write instead: in sentences, and in names.</summary>
internal static partial class PlainWords
{
    private static readonly (Regex Pattern, string Instead)[] Sentences = [.. new (string, string)[]
    {
        (@"\banew\b", "again"),
        (@"\bcure[sd]?\b", "fix"),
        (@"(?<!-)\bcircles?\b(?!-)", "cycle"),
        (@"\bwhoever\b", "the noun"),
        (@"\bto be had\b", "available"),
        (@"\bhonest\b", "valid"),
        (@"\bmend(s|ed|ing)?\b", "fix"),
        (@"\bknots?\b", "cycle"),
        (@"\b(bury|buries|buried)\b", "remove"),
        (@"\bwishe[sd]\b", "options"),
        (@"\bpatience\b", "timeout"),
        (@"\b(stands?|stood|standing) still\b", "is stopped"),
        (@"\bheld against\b", "checked against"),
        (@"\bwithout a word\b", "silently"),
        (@"\b(told|tells?) apart\b", "distinguished"),
        (@"\bforetells?\b", "expects"),
        (@"\bsays? nothing of\b", "says nothing about"),
        (@"\bma(kes?|de) no sense\b", "is invalid"),
        (@"\bis told so\b", "gets a message"),
        // "There is no process 7", "it is no longer there" are plain.
        (@"(?<!\bthere )\bis no (?!(longer|more|other|one|way|need|room|doubt|place|reason|sign|use|matter|difference|better)\b)", "is not a"),
    }.Select(word => (new Regex(word.Item1, RegexOptions.IgnoreCase), word.Item2))];

    private static readonly string[] Parts =
        ["Anew", "Bury", "Circle", "Circles", "Cure", "Knot", "Knots", "Patience", "Said", "Stretch", "Surroundings", "Told", "Whoever", "Wishes"];

    /// <summary>What to write instead of the first such word of a line; null for a plain one.</summary>
    public static string? InSentence(string line) => Sentences.FirstOrDefault(word => word.Pattern.IsMatch(line)).Instead;

    /// <summary>The first name of a line that is made of several words of which one is not plain; null when there is none.</summary>
    public static string? InName(string line)
        => Name().Matches(line).Select(name => name.Value).FirstOrDefault(name => Word().Matches(name).Any(word => Parts.Contains(word.Value, StringComparer.OrdinalIgnoreCase)));

    // Words of a sentence have neither an underscore nor a capital letter inside.
    [GeneratedRegex(@"\b(?=\w*(_|[a-z][A-Z]))[A-Za-z_]\w*")]
    private static partial Regex Name();

    [GeneratedRegex("[A-Z]?[a-z]+")]
    private static partial Regex Word();
}
