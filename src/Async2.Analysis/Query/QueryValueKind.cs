namespace Async2.Analysis.Query;

/// <summary>What may be typed as the value of a <see cref="QueryOption"/>.</summary>
public enum QueryValueKind
{
    /// <summary>A regular expression, of which a part of the text has to match, in any case.</summary>
    Pattern,

    /// <summary>A name or a part of one, as it stands.</summary>
    Name,

    /// <summary>An address in hex.</summary>
    Address,

    /// <summary>A whole number above 0.</summary>
    Number,

    /// <summary>One of a few words.</summary>
    Word,

    /// <summary>Some of a few words, with commas between them.</summary>
    Words,
}
