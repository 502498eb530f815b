namespace Async2.Analysis.Layouts.Descriptions;

/// <summary>Kinds of places that facts about a runtime come from; the first that knows a fact is believed.</summary>
internal enum LayoutSourceKind
{
    /// <summary>A file that the user gave.</summary>
    File,

    /// <summary>A contract that the target exports.</summary>
    Contract,

    /// <summary>The target's metadata: the type has a field of that name.</summary>
    Metadata,

    /// <summary>A description that comes with this tool.</summary>
    BuiltIn,
}

/// <summary>Where a fact about a runtime came from.</summary>
/// <param name="Kind">How much it is believed.</param>
/// <param name="Name">For the user: <c>file my.json</c>, <c>contract DotNetAsync2ContractDescriptor in libcoreclr.so</c>, <c>metadata</c>, <c>built in net10</c>.</param>
internal sealed record LayoutSource(LayoutSourceKind Kind, string Name)
{
    public static LayoutSource Metadata { get; } = new(LayoutSourceKind.Metadata, "metadata");

    public override string ToString() => Name;
}
