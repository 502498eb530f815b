using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using System.Runtime.InteropServices;
using Async2.Analysis.Metadata;
using Async2.Analysis.Metadata.IL;
using Async2.Analysis.Metadata.Signatures;
using Async2.Analysis.Metadata.Symbols;
using Async2.Analysis.Targets.Processes;

namespace Async2.Analysis.Code.Modules;

/// <summary>
/// The PE image of a module, from a file or from memory of a target: metadata, IL bodies, what its PDB is. Not trusted: members
/// answer null instead of throwing. Safe for concurrent use until disposed.
/// </summary>
internal sealed class ModuleImage : IDisposable
{
    private readonly PEReader _pe;
    private readonly DebugDirectory _debug;

    private ModuleImage(PEReader pe)
    {
        _pe = pe;
        _debug = DebugDirectory.Read(pe);
    }

    public CodeView? CodeView => _debug.CodeView;

    public PdbChecksum? PdbChecksum => _debug.Checksum;

    public bool HasEmbeddedPdb => _debug.HasEmbeddedPdb;

    /// <summary>Identity of the module, to compare with what the target has loaded.</summary>
    public Guid? Mvid => UntrustedBytes.Read<Guid?>(this, () =>
    {
        var reader = _pe.GetMetadataReader();
        return reader.GetGuid(reader.GetModuleDefinition().Mvid);
    });

    /// <summary>
    /// Opens a file if it is a regular one. Null if it cannot be read or is not a managed image. The file is read whole and closed:
    /// a mapped one kills the reader when somebody builds the module again meanwhile.
    /// </summary>
    /// <param name="path">The file.</param>
    /// <param name="files">Whose path it is; null for ours.</param>
    public static ModuleImage? OpenFile(string path, TargetFiles? files = null) =>
        (files ?? TargetFiles.Here).ReadAllBytes(path) is { } image ? FromBytes(image, isLoaded: false) : null;

    /// <summary>Opens bytes that were copied out of a target. The array is not copied again: leave it alone.</summary>
    /// <param name="isLoaded">True when sections stand at their virtual addresses, false for the layout of the file.</param>
    public static ModuleImage? FromBytes(byte[] image, bool isLoaded)
    {
        PEReader? pe = null;
        var opened = UntrustedBytes.Read(image, () =>
        {
            pe = isLoaded
                ? new PEReader(new MemoryStream(image, writable: false), PEStreamOptions.IsLoadedImage)
                : new PEReader(ImmutableCollectionsMarshal.AsImmutableArray(image));
            return pe.HasMetadata ? new ModuleImage(pe) : null;
        });
        if (opened is null) pe?.Dispose();
        return opened;
    }

    /// <summary>A copy of the metadata, for <see cref="ModuleMetadata.Open"/>.</summary>
    public byte[]? ReadMetadata() => UntrustedBytes.Read(this, () =>
    {
        var block = _pe.GetMetadata();
        return block.Length > ModuleMetadata.MaxBytes ? null : block.GetContent().ToArray();
    });

    /// <summary>IL bytes of the body at <see cref="MethodFacts.Rva"/>, without header and handlers; null for none.</summary>
    public byte[]? ReadIL(int rva) => rva <= 0 ? null : UntrustedBytes.Read(this, () => _pe.GetMethodBody(rva).GetILBytes());

    /// <summary>The same with its handlers; null for none.</summary>
    public ILBody? ReadBody(int rva) => rva <= 0 ? null : UntrustedBytes.Read(this, () =>
        _pe.GetMethodBody(rva) is { } body && body.GetILBytes() is { } il ? new ILBody(il, body.ExceptionRegions) : null);

    /// <summary>The PDB inside the image, or null.</summary>
    public PortablePdb? ReadEmbeddedPdb() =>
        UntrustedBytes.Read(this, () => _debug.InflatePdb(_pe)) is { } bytes ? PortablePdb.Open(bytes) : null;

    public void Dispose() => _pe.Dispose();
}
