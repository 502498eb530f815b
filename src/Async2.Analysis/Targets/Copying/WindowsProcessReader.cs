using System.Runtime.InteropServices;
using Async2.Analysis.Targets.Stopping;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Targets.Copying;

/// <summary>Reads a process of Windows.</summary>
/// <param name="copy">The copy; may be empty for a stopped process.</param>
/// <param name="freeze">Holds the process; null if it runs.</param>
internal sealed class WindowsProcessReader(ProcessCopy copy, ProcessFreeze? freeze) : CopiedProcessReader(copy, freeze)
{
    /// <inheritdoc/>
    public override OSPlatform TargetPlatform => OSPlatform.Windows;

    /// <summary>What was loaded as a library or program. A library begins where its first region does, with headers that say what it is.</summary>
    public override IEnumerable<ModuleInfo> EnumerateModules() => Mappings
        .Where(mapping => mapping is { IsFile: true, IsPrivate: true, Offset: 0 })
        .Select(image => ModuleInfo.TryCreate(this, image.Start, image.Path))
        .OfType<ModuleInfo>();

    /// <inheritdoc/>
    protected override bool TryFill(byte[] registers, Span<byte> context)
    {
        context.Clear();
        registers.AsSpan(0, Math.Min(registers.Length, context.Length)).CopyTo(context);
        return context.Length > 0;
    }
}
