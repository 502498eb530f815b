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

    /// <summary>Where the variable is in the target; null for what is not a variable, and where <see cref="Place"/> was not found.</summary>
    public ulong? Address { get; init; }

    /// <summary>How a file says where the variable is, which cannot know the address; null for anything else.</summary>
    public GlobalPlace? Place { get; init; }
}

/// <summary>A variable by its symbol or by its distance from the beginning of its module.</summary>
/// <param name="Symbol">Name of the symbol, or null.</param>
/// <param name="Rva">Bytes from the module's base, or null.</param>
/// <param name="Module">As written: <c>coreclr</c>, <c>libcoreclr.so</c>.</param>
internal sealed record GlobalPlace(string? Symbol, ulong? Rva, string Module);

/// <summary>What a file says that it is for; null where it does not.</summary>
/// <param name="Architecture"><c>x64</c>.</param>
/// <param name="Os"><c>linux</c>.</param>
/// <param name="Module">Module that the build id is of.</param>
/// <param name="BuildId">Lower-case hexadecimal.</param>
internal sealed record LayoutTarget(string? Architecture, string? Os, string? Module, string? BuildId);

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

    /// <summary>What is said not to be there, whatever the baseline says: <c>Tasklet.PrevInStack</c>, <c>TaskletSentinel</c>.</summary>
    public IReadOnlySet<string> Absent { get; init; } = new HashSet<string>();

    /// <summary>What was said about things that no contract here has, and so was not read: <c>type Thread</c>.</summary>
    public IReadOnlyList<string> Ignored { get; init; } = [];

    /// <summary>Name of the layout that fills the gaps of this one; null for none.</summary>
    public string? Baseline { get; init; }

    public LayoutTarget? Target { get; init; }

    /// <summary>True when this source says that a field or global is not there.</summary>
    public bool Denies(string name) => Absent.Count > 0 && Absent.Contains(name);
}
