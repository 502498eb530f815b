namespace Async2.Analysis.Layouts.Descriptions;

/// <summary>A field with where that was learned.</summary>
internal sealed record FieldFact(string Type, string Field, int Offset, string? FieldType, LayoutSource Source);

/// <summary>Size of a type with where that was learned.</summary>
internal sealed record SizeFact(string Type, int Bytes, LayoutSource Source);

/// <summary>A global with where that was learned.</summary>
internal sealed record GlobalFact(string Name, GlobalDescription Value, LayoutSource Source);

/// <summary>Version of an algorithm with where that was learned.</summary>
internal sealed record ContractFact(string Name, string Version, LayoutSource Source);

/// <summary>What all sources together say about a runtime: for each fact the first source that knows it, and no other, is believed.</summary>
/// <param name="sources">Most believed first: files, contracts of the target, then what is built in.</param>
internal sealed class LayoutFacts(IReadOnlyList<LayoutDescription> sources)
{
    /// <summary>Knows nothing.</summary>
    public static LayoutFacts None { get; } = new([]);

    public IReadOnlyList<LayoutDescription> Sources => sources;

    /// <summary>The same facts, and for those that nobody knows, what another source says.</summary>
    public LayoutFacts Or(params LayoutDescription[] last) => new([.. sources, .. last]);

    /// <summary>The same with a layout that comes with this tool.</summary>
    public LayoutFacts OrBuiltIn(string name) => Baselines.Find(name) is { } known ? Or(known) : this;

    /// <summary>Only what somebody said about this target: nothing that is built in.</summary>
    public bool IsDescribed(string contract) => Contract(contract) is { Source.Kind: not LayoutSourceKind.BuiltIn };

    /// <summary>A field; null when nobody knows it.</summary>
    /// <param name="type">In the words of the descriptions, <c>ContinuationObject</c>.</param>
    /// <param name="field">Its name there.</param>
    /// <param name="fromMetadata">What the target's metadata says: believed before what is built in.</param>
    public FieldFact? Field(string type, string field, int? fromMetadata = null)
    {
        foreach (LayoutDescription source in sources)
        {
            if (source.Source.Kind > LayoutSourceKind.Metadata && fromMetadata is { } offset)
                break;
            if (source.Types.GetValueOrDefault(type)?.Fields.GetValueOrDefault(field) is { } found)
                return new(type, field, found.Offset, found.Type, source.Source);
            if (source.Absent.Count > 0 && source.Denies($"{type}.{field}"))
                return null;
        }
        return fromMetadata is { } own ? new(type, field, own, null, LayoutSource.Metadata) : null;
    }

    /// <summary>All fields of a type that somebody knows.</summary>
    public IEnumerable<FieldFact> FieldsOf(string type) => sources
        .SelectMany(source => source.Types.GetValueOrDefault(type)?.Fields.Keys ?? [])
        .Distinct(StringComparer.Ordinal)
        .Select(field => Field(type, field))
        .OfType<FieldFact>();

    /// <summary>Names of all globals that somebody knows.</summary>
    public IEnumerable<string> GlobalNames() => sources
        .SelectMany(source => source.Globals.Keys)
        .Distinct(StringComparer.Ordinal)
        .Where(name => Global(name) is not null);

    /// <summary>Bytes of a struct or class; null when nobody knows.</summary>
    public int? Size(string type) => SizeFact(type)?.Bytes;

    /// <summary>Bytes of a struct or class with where that was learned; null when nobody knows.</summary>
    public SizeFact? SizeFact(string type)
    {
        foreach (LayoutDescription source in sources)
        {
            if (source.Types.GetValueOrDefault(type)?.Size is { } size)
                return new(type, size, source.Source);
        }
        return null;
    }

    /// <summary>A global; null when nobody knows it.</summary>
    public GlobalFact? Global(string name)
    {
        foreach (LayoutDescription source in sources)
        {
            if (source.Globals.GetValueOrDefault(name) is { } found)
                return new(name, found, source.Source);
            if (source.Denies(name))
                return null;
        }
        return null;
    }

    /// <summary>The parts of a text with semicolons in it; empty when nobody knows the global.</summary>
    public string[] Names(string global) => Global(global)?.Value.Text?.Split(';', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries) ?? [];

    /// <summary>Version of an algorithm; null when nobody says.</summary>
    public ContractFact? Contract(string name)
    {
        foreach (LayoutDescription source in sources)
        {
            if (source.Contracts.GetValueOrDefault(name) is { } version)
                return new(name, version, source.Source);
        }
        return null;
    }
}
