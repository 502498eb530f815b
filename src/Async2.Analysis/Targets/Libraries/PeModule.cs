using Async2.Analysis.Targets.Files;
using Async2.Analysis.Targets.Memory;
using Async2.Analysis.Targets.Pe;

namespace Async2.Analysis.Targets.Libraries;

/// <summary>A library of Windows in the target.</summary>
/// <param name="memory">The target's.</param>
/// <param name="name">File name without folders.</param>
/// <param name="imageBase">Where it begins.</param>
/// <param name="header">Its own.</param>
/// <param name="file">Its file.</param>
internal sealed class PeModule(TargetMemory memory, string name, ulong imageBase, PeHeader header, Lazy<ILibraryFile?> file) : NativeModule(memory, name, file)
{
    /// <inheritdoc/>
    public override ulong Bias => imageBase;

    /// <summary>Where the table is that tells how to find the callers of its functions, from its beginning.</summary>
    public uint Functions => header.Functions;

    /// <summary>Bytes of that table; 0 if there is none.</summary>
    public uint FunctionsSize => header.FunctionsSize;

    /// <summary>Reads at an offset from its beginning; false if not all of it can be read.</summary>
    public bool TryReadAt(uint offset, Span<byte> buffer) => TryRead(imageBase + offset, buffer);

    /// <inheritdoc/>
    public override bool Contains(ulong address) => address - imageBase < header.Size;

    /// <inheritdoc/>
    public override ExportSearch FindExport(ReadOnlySpan<byte> name, out ulong address)
    {
        ExportSearch found = PeExports.Find((place, buffer) => TryRead(imageBase + place, buffer), header, name, out uint offset);
        address = imageBase + offset;
        return found;
    }
}
