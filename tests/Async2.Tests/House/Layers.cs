namespace Async2.Tests.House;

/// <summary>Who may know whom in Async2.Analysis, as docs/architecture.md draws it.</summary>
internal static class Layers
{
    private const string Root = "Async2.Analysis";

    /// <summary>Upstream first; a layer may use those before it.</summary>
    private static readonly string[][] Order =
    [
        ["Model"], ["Formatting"], ["Operations"], ["Analyses"], ["Query"], ["Comparison"], ["Watching"], ["Snapshots"], ["Metadata"], ["Targets"], ["Layouts"], ["Code"], ["Nodes"], ["Values"], ["Awaiters", "Threads"], ["Waits"], ["Families", "Holders", "Locals", "Resources"], ["Reachability"], ["Identity"], ["Heap"], ["Surveys"],
        ["Graph"], ["Stacks"], ["Rendering"],
    ];

    /// <summary>The only layers that may name ClrMD.</summary>
    private static readonly string[] AtTheDoor = ["Targets", "Layouts", "Code", "Values", "Awaiters", "Threads", "Waits", "Families", "Holders", "Locals", "Resources", "Identity", "Heap", "Surveys", "Reachability"];

    /// <summary>Those who may make sentences of what was read: all that is left of the graph passes data on (decision 0022).</summary>
    private static readonly string[] Formatting = ["Formatting", "Query", "Stacks", "Snapshots", "Analyses", "Watching", "Rendering"];

    /// <summary>Sentences about uses that go the wrong way, without repetition.</summary>
    public static IReadOnlyList<string> Violations(IEnumerable<TypeUse> uses)
        => [.. uses.Select(Violation).OfType<string>().Distinct().Order(StringComparer.Ordinal)];

    private static string? Violation(TypeUse use)
    {
        if (!use.FromNamespace.StartsWith(Root, StringComparison.Ordinal))
            return null;
        string from = Layer(use.FromNamespace);
        if (use.ToNamespace.StartsWith("Microsoft.Diagnostics.Runtime", StringComparison.Ordinal))
            return AtTheDoor.Contains(from) ? null : $"{use.From} names ClrMD's {use.To}";
        if (from.Length == 0 || !use.ToNamespace.StartsWith(Root, StringComparison.Ordinal))
            return null;
        string to = Layer(use.ToNamespace);
        if (to.Length == 0)
            return use.To == Root + ".Analyzer" ? $"{use.From} calls the Analyzer" : null;
        if (Rank(from) < 0)
            return $"{use.From} is in no layer";
        if (to == "Formatting" && !Formatting.Contains(from))
            return $"{use.From} uses {use.To}: {from} passes data on, and makes no sentences of it";
        return from == to || Rank(to) < Rank(from) ? null : $"{use.From} uses {use.To}: {from} must not know {to}";
    }

    private static string Layer(string space) => space.Split('.') is { Length: > 2 } parts ? parts[2] : "";

    private static int Rank(string layer) => Array.FindIndex(Order, layers => layers.Contains(layer));
}
