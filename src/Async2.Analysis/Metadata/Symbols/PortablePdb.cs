using System.Collections.Concurrent;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Runtime.InteropServices;
using Async2.Analysis.Metadata.Signatures;

namespace Async2.Analysis.Metadata.Symbols;

/// <summary>
/// A portable PDB: from a method and an IL offset to a source line. Not trusted: answers null instead of throwing. Safe for
/// concurrent use.
/// </summary>
internal sealed class PortablePdb
{
    private readonly MetadataReaderProvider _provider;
    private readonly MetadataReader _reader;
    private readonly ConcurrentDictionary<int, MethodLines?> _methods = new();

    private PortablePdb(MetadataReaderProvider provider, PdbId id)
    {
        _provider = provider;
        _reader = provider.GetMetadataReader();
        Id = id;
    }

    /// <summary>What <see cref="CodeView.Id"/> of its module must be equal to.</summary>
    public PdbId Id { get; }

    /// <summary>Opens the bytes of a .pdb file. Null for anything else, Windows PDBs too. The array is not copied: leave it alone.</summary>
    public static PortablePdb? Open(byte[] pdb) => pdb.Length == 0 ? null : UntrustedBytes.Read(pdb, () =>
    {
        var provider = MetadataReaderProvider.FromPortablePdbImage(ImmutableCollectionsMarshal.AsImmutableArray(pdb));
        var header = provider.GetMetadataReader().DebugMetadataHeader;
        if (header is null || header.Id.Length != 20) return null;
        var id = header.Id.AsSpan();
        return new PortablePdb(provider, new PdbId(new Guid(id[..16]), MemoryMarshal.Read<uint>(id[16..])));
    });

    /// <summary>
    /// The statement that covers the offset: the last visible sequence point at or before it. Null for methods without lines and
    /// for offsets before the first line.
    /// </summary>
    /// <param name="methodToken">MethodDef token in the module of this PDB.</param>
    public SourceLine? LineOf(int methodToken, int ilOffset) => _methods.GetOrAdd(methodToken, Read)?.At(ilOffset);

    /// <summary>No statement covers the offset: the compiler made the code there.</summary>
    /// <param name="methodToken">MethodDef token in the module of this PDB.</param>
    public bool IsHidden(int methodToken, int ilOffset) => _methods.GetOrAdd(methodToken, Read)?.IsHidden(ilOffset) == true;

    /// <summary>Names of the method's locals; null if the PDB does not know the method.</summary>
    /// <param name="methodToken">MethodDef token in the module of this PDB.</param>
    public MethodLocals? LocalsOf(int methodToken) => UntrustedBytes.Read(_provider, () =>
        MethodHandle(methodToken) is { } method ? MethodLocals.Read(_reader, method) : null);

    /// <summary>Scopes of the locals of a state machine; null if the PDB does not know the method.</summary>
    /// <param name="moveNextToken">MethodDef token of the machine's MoveNext.</param>
    public HoistedScopes? HoistedScopesOf(int moveNextToken) => UntrustedBytes.Read(_provider, () =>
        MethodHandle(moveNextToken) is { } method ? HoistedScopes.Read(_reader, method.ToDefinitionHandle()) : null);

    private MethodLines? Read(int token) => UntrustedBytes.Read(_provider, () =>
        MethodHandle(token) is { } method ? MethodLines.Read(_reader, method) : null);

    private MethodDebugInformationHandle? MethodHandle(int token)
    {
        var handle = MetadataTokens.EntityHandle(token);
        if (handle.Kind != HandleKind.MethodDefinition) return null;
        var row = MetadataTokens.GetRowNumber(handle);
        return row < 1 || row > _reader.MethodDebugInformation.Count ? null : MetadataTokens.MethodDebugInformationHandle(row);
    }
}
