using System.Collections.Immutable;

namespace Async2.Dump.Doctor;

/// <summary>All checks. A new one is a file and a line here.</summary>
internal static class Checks
{
    /// <summary>Cheap ones first; the last opens the target.</summary>
    public static ImmutableArray<ICheck> All { get; } =
    [
        new ArchitectureCheck(),
        new TerminalCheck(),
        new RightsCheck(),
        new PtraceCheck(),
        new DiagnosticsCheck(),
        new DacCheck(),
        new DumpSpaceCheck(),
        new TargetCheck(),
    ];
}
