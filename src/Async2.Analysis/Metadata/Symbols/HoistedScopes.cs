using System.Reflection.Metadata;

namespace Async2.Analysis.Metadata.Symbols;

/// <summary>
/// Where in a classic state machine's MoveNext its hoisted locals have their names. In optimised builds the compiler gives the field
/// of a local whose scope ended to another one of the same type, and keeps the first one's name: outside of the scope the name
/// is wrong. Custom debug information of portable PDBs (Roslyn, PortableCustomDebugInfoKinds.cs).
/// </summary>
internal sealed class HoistedScopes
{
    private const int EntryLimit = 16 * 1024;

    private static readonly Guid LocalScopes = new("6DA9A61E-F8C7-4874-BE62-68BC5630DF71");
    private static readonly Guid SteppingInformation = new("54FD2AC5-E925-401A-9C2A-F94F171072F8");

    private readonly List<(uint Start, uint Length)> _scopes = [];
    private readonly List<uint> _awaits = [];

    public static HoistedScopes Read(MetadataReader reader, MethodDefinitionHandle moveNext)
    {
        var scopes = new HoistedScopes();
        foreach (CustomDebugInformationHandle handle in reader.GetCustomDebugInformation(moveNext))
        {
            CustomDebugInformation information = reader.GetCustomDebugInformation(handle);
            Guid kind = reader.GetGuid(information.Kind);
            BlobReader blob = reader.GetBlobReader(information.Value);
            if (kind == LocalScopes)
                scopes.ReadScopes(blob);
            else if (kind == SteppingInformation)
                scopes.ReadAwaits(blob);
        }
        return scopes;
    }

    /// <summary>False when a machine in this state is outside of the scope whose name a hoisted local has.</summary>
    /// <param name="slot">The number in the field's name, from 1.</param>
    /// <param name="state">The machine's state: awaits from 0; others are not known.</param>
    public bool MayBeNamed(int slot, int state)
    {
        if (slot < 1 || slot > _scopes.Count || state < 0 || state >= _awaits.Count)
            return true;
        (uint start, uint length) = _scopes[slot - 1];
        return length == 0 || (_awaits[state] >= start && _awaits[state] - start < length);
    }

    private void ReadScopes(BlobReader blob)
    {
        while (blob.RemainingBytes >= 8 && _scopes.Count < EntryLimit)
            _scopes.Add((blob.ReadUInt32(), blob.ReadUInt32()));
    }

    // A catch handler's offset, then for each await where it leaves, where it comes back, and in which method.
    private void ReadAwaits(BlobReader blob)
    {
        blob.ReadUInt32();
        while (blob.RemainingBytes >= 9 && _awaits.Count < EntryLimit)
        {
            _awaits.Add(blob.ReadUInt32());
            blob.ReadUInt32();
            blob.ReadCompressedInteger();
        }
    }
}
