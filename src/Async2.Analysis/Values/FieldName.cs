namespace Async2.Analysis.Values;

/// <summary>What a field is called in source, where the compiler gave it another name.</summary>
internal static class FieldName
{
    /// <summary><c>&lt;Net&gt;k__BackingField</c> is <c>Net</c>, <c>&lt;bell&gt;P</c> the parameter <c>bell</c> of a primary constructor.</summary>
    public static string Readable(string name)
        => name.StartsWith('<') && name.IndexOf('>', StringComparison.Ordinal) is > 1 and var end ? name[1..end] : name;
}
