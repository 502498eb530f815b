namespace Async2.Tests.House;

/// <summary>
/// Members of ClrMD that some host of SOS does not have. Inside a host the plugin runs on the host's own copy, so naming one
/// fails there, when the method that names it is compiled by the JIT. Differences between the versions that hosts bring were
/// made from builds of their commits: 4.0.0-beta.25610 (dotnet-dump 9.0.661903), 4.0.727102, 4.1.745802.
/// </summary>
internal static class HostApi
{
    private const string ClrMD = "Microsoft.Diagnostics.Runtime.";

    /// <summary>Opens dumps and processes: only the stand-alone tool does that, on its own copy.</summary>
    private const string OpeningLayer = "Async2.Analysis.Targets";

    private static readonly (string Type, string Member)[] Denied =
    [
        (ClrMD + "ClrModule", "EnumerateTypesWithStaticFields"),
        (ClrMD + "ClrRuntime", "get_StressLog"),
        (ClrMD + "ClrRuntime", "get_TlsSlotIndex"),
        (ClrMD + "ClrHeap", "EnumerateAdditionalRoots"),
    ];

    private static readonly string[] DeniedOutsideOpening = [ClrMD + "DataTargetOptions", ClrMD + "DataTargetLimits"];

    /// <summary>The overloads that take a field instead of a name came late; C# picks them silently.</summary>
    private static readonly string[] ReadsByField = ["ReadField", "ReadObjectField", "ReadValueTypeField", "ReadStringField"];

    /// <summary>Sentences about uses that break in a host, without repetition.</summary>
    public static IReadOnlyList<string> Violations(IEnumerable<TypeUse> uses)
        => [.. uses.Where(Breaks).Select(use => $"{use.From} uses {use.To}.{use.Member}({use.Signature})").Distinct().Order(StringComparer.Ordinal)];

    private static bool Breaks(TypeUse use)
        => Denied.Contains((use.To, use.Member ?? ""))
            || (DeniedOutsideOpening.Contains(use.To) && !use.FromNamespace.StartsWith(OpeningLayer, StringComparison.Ordinal))
            || (use.To is ClrMD + "ClrObject" or ClrMD + "ClrValueType" && ReadsByField.Contains(use.Member)
                && use.Signature.Contains("ClrInstanceField", StringComparison.Ordinal));
}
