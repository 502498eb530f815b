using System.Runtime.InteropServices;
using Async2.Analysis.Targets.Memory;
using Async2.Analysis.Targets.Stopping;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Targets.Copying;

/// <summary>Reads a process of Linux.</summary>
/// <param name="copy">The copy; may be empty for a stopped process.</param>
/// <param name="freeze">Holds the process; null if it runs.</param>
internal sealed class LinuxProcessReader(ProcessCopy copy, ProcessFreeze? freeze) : CopiedProcessReader(copy, freeze)
{
    /// <inheritdoc/>
    public override OSPlatform TargetPlatform => OSPlatform.Linux;

    /// <summary>
    /// Mapped files, by the address of their first byte. A single-file program is mapped again for each module inside, from the
    /// middle of the file, and mostly below its own mapping.
    /// </summary>
    public override IEnumerable<ModuleInfo> EnumerateModules() => Mappings
        .Where(mapping => mapping.IsFile)
        .GroupBy(mapping => mapping.Path, StringComparer.Ordinal)
        .Select(image => ModuleInfo.TryCreate(this, image.OrderBy(mapping => mapping.Offset != 0).ThenBy(mapping => mapping.Start).First().Start, MemoryMapping.WithoutDeleted(image.Key)))
        .OfType<ModuleInfo>();

    /// <inheritdoc/>
    protected override bool TryFill(byte[] registers, Span<byte> context) => ThreadRegisters.TryFill(registers, Architecture, context);
}
