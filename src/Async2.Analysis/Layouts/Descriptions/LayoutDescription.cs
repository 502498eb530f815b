namespace Async2.Analysis.Layouts.Descriptions;

/// <summary>Where a field is.</summary>
/// <param name="Offset">Bytes from the beginning of the struct, or from the object's address.</param>
/// <param name="Type">In the words of the runtime's data contracts, <c>pointer</c> or <c>uint32</c>; null when not said.</param>
internal sealed record FieldDescription(int Offset, string? Type);

/// <summary>A struct or class.</summary>
internal sealed record TypeDescription
{
    /// <summary>Bytes; null when not said.</summary>
    public int? Size { get; init; }

    public required IReadOnlyDictionary<string, FieldDescription> Fields { get; init; }
}

/// <summary>A value of the runtime: a number, a text, or the address of one of its variables.</summary>
internal sealed record GlobalDescription
{
    public string? Text { get; init; }

    public long? Number { get; init; }

    /// <summary>Where the variable is in the target; null for what is no variable.</summary>
    public ulong? Address { get; init; }
}

/// <summary>
/// What one source says about a runtime, in the terms of the runtime's own data-contract descriptors (dotnet/runtime,
/// docs/design/datacontracts): types with their fields, globals, and which version of each algorithm the data is for.
/// </summary>
internal sealed record LayoutDescription
{
    public required LayoutSource Source { get; init; }

    public IReadOnlyDictionary<string, TypeDescription> Types { get; init; } = new Dictionary<string, TypeDescription>();

    public IReadOnlyDictionary<string, GlobalDescription> Globals { get; init; } = new Dictionary<string, GlobalDescription>();

    /// <summary>Versions by contract name, as written: <c>1</c>, or <c>c1</c>.</summary>
    public IReadOnlyDictionary<string, string> Contracts { get; init; } = new Dictionary<string, string>();
}
