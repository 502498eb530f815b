using System.Collections.Concurrent;

namespace Async2.Analysis.Layouts.Descriptions;

/// <summary>The layouts that come with this tool, in the same grammar as everybody else's; read when one is asked for.</summary>
internal static class Baselines
{
    public const string Net10 = "net10";
    public const string Net11 = "net11";
    public const string Jit = "async2/jit";
    public const string UnwinderV4 = "async2/unwinder-v4";
    public const string UnwinderV3 = "async2/unwinder-v3";

    // A runtime's own descriptor says this where it has none.
    private const string Nothing = "empty";

    // The layouts are of 64-bit processes; a name may say so.
    private const string Processor = "/x64";

    private static readonly ConcurrentDictionary<string, LayoutDescription> Known = new(StringComparer.Ordinal);

    /// <summary>Newest of each family first.</summary>
    public static IReadOnlyList<string> Names { get; } = [Net11, Net10, Jit, UnwinderV4, UnwinderV3, "async2/unwinder-v2"];

    /// <summary>A layout with all that its own baselines say; null when none has that name.</summary>
    public static LayoutDescription? Find(string name)
    {
        string plain = name.EndsWith(Processor, StringComparison.Ordinal) ? name[..^Processor.Length] : name;
        return Names.Contains(plain, StringComparer.Ordinal) ? Known.GetOrAdd(plain, Load) : null;
    }

    /// <summary>True for a baseline that says nothing.</summary>
    public static bool IsEmpty(string? name) => name is null or "" or Nothing;

    private static LayoutDescription Load(string name)
    {
        using Stream stream = typeof(Baselines).Assembly.GetManifestResourceStream("layout:" + name)!;
        byte[] json = new byte[stream.Length];
        stream.ReadExactly(json);
        LayoutDescription own = DescriptionParser.Parse(json, new(LayoutSourceKind.BuiltIn, "built in " + name));
        return own.Baseline is { } baseline ? Over(own, Find(baseline)!) : own;
    }

    private static LayoutDescription Over(LayoutDescription own, LayoutDescription baseline)
    {
        var types = new Dictionary<string, TypeDescription>(own.Types, StringComparer.Ordinal);
        foreach ((string name, TypeDescription type) in baseline.Types)
            types[name] = own.Types.TryGetValue(name, out TypeDescription? nearer) ? Over(nearer, type, field => own.Denies($"{name}.{field}")) : type;
        return own with
        {
            Types = types,
            Globals = Over(own.Globals, baseline.Globals, own.Denies),
            Contracts = Over(own.Contracts, baseline.Contracts, _ => false),
        };
    }

    private static TypeDescription Over(TypeDescription own, TypeDescription baseline, Func<string, bool> isDenied)
        => new() { Size = own.Size ?? baseline.Size, Fields = Over(own.Fields, baseline.Fields, isDenied) };

    private static Dictionary<string, T> Over<T>(IReadOnlyDictionary<string, T> own, IReadOnlyDictionary<string, T> baseline, Func<string, bool> isDenied)
    {
        var all = new Dictionary<string, T>(own, StringComparer.Ordinal);
        foreach ((string name, T value) in baseline)
        {
            if (!isDenied(name))
                all.TryAdd(name, value);
        }
        return all;
    }
}
