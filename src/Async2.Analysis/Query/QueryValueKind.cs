namespace Async2.Analysis.Query;

/// <summary>Kinds of values of a <see cref="QueryOption"/>.</summary>
public enum QueryValueKind
{
    /// <summary>A regular expression that has to match a part of the text, ignoring case.</summary>
    Pattern,

    /// <summary>A name or a part of one, literally.</summary>
    Name,

    /// <summary>An address in hex.</summary>
    Address,

    /// <summary>A whole number above 0.</summary>
    Number,

    /// <summary>A length of time: <c>500ms</c>, <c>30s</c>, <c>2m</c>, <c>1h</c>, or seconds.</summary>
    Duration,

    /// <summary>One of a set of words.</summary>
    Word,

    /// <summary>Several of a set of words, separated by commas.</summary>
    Words,
}
