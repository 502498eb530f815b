using System.Reflection.Metadata;
using Async2.Analysis.Metadata.Signatures;

namespace Async2.Analysis.Metadata.Names;

/// <summary>
/// Which method starts which classic state machine, read once per module from the attributes that name the machine's type
/// (<c>[AsyncStateMachine(typeof(&lt;PayAsync&gt;d__5))]</c>).
/// </summary>
internal sealed class StateMachineMap
{
    private const string Space = "System.Runtime.CompilerServices";

    private static readonly HashSet<string> Attributes = new(StringComparer.Ordinal)
    {
        "AsyncStateMachineAttribute", "AsyncIteratorStateMachineAttribute", "IteratorStateMachineAttribute",
    };

    private readonly Dictionary<string, MethodDefinitionHandle> _kickoffs = new(StringComparer.Ordinal);

    private readonly Dictionary<MethodDefinitionHandle, string> _machines = [];

    /// <summary>Rows behind one that cannot be read are lost; their methods are still named, only without parameters.</summary>
    public StateMachineMap(MetadataReader reader) => UntrustedBytes.Read(reader, () => Fill(reader));

    private bool Fill(MetadataReader reader)
    {
        long chars = 0;
        foreach (var handle in reader.CustomAttributes)
        {
            if (Read(reader, handle) is not { } found) continue;
            _kickoffs.TryAdd(found.Type, found.Method);
            _machines.TryAdd(found.Method, found.Type);
            chars += found.Type.Length;
            if (chars > MethodFinder.MaxNameTableChars) break;
        }

        return true;
    }

    /// <summary>The method that starts the machine, or nil.</summary>
    public MethodDefinitionHandle KickoffOf(TypeId stateMachine) => _kickoffs.GetValueOrDefault(stateMachine.FullName);

    /// <summary>Full name of the type of the machine that a method starts; null if it starts none.</summary>
    public string? MachineOf(MethodDefinitionHandle method) => _machines.GetValueOrDefault(method);

    private static (string Type, MethodDefinitionHandle Method)? Read(MetadataReader reader, CustomAttributeHandle handle)
    {
        var attribute = reader.GetCustomAttribute(handle);
        if (attribute.Parent.Kind != HandleKind.MethodDefinition || !IsStateMachineAttribute(reader, attribute.Constructor)) return null;
        var value = reader.GetBlobReader(attribute.Value);
        if (value.ReadUInt16() != 1 || value.ReadSerializedString() is not { Length: > 0 } type) return null;
        // The type is of the same module, so the name has no assembly; an escaped comma is a part of the name.
        return (type.Replace("\\", "", StringComparison.Ordinal), (MethodDefinitionHandle)attribute.Parent);
    }

    private static bool IsStateMachineAttribute(MetadataReader reader, EntityHandle constructor)
    {
        var parent = constructor.Kind switch
        {
            HandleKind.MemberReference => reader.GetMemberReference((MemberReferenceHandle)constructor).Parent,
            HandleKind.MethodDefinition => reader.GetMethodDefinition((MethodDefinitionHandle)constructor).GetDeclaringType(),
            _ => default,
        };
        var (space, name) = parent.Kind switch
        {
            HandleKind.TypeReference => Names(reader.GetTypeReference((TypeReferenceHandle)parent)),
            HandleKind.TypeDefinition => Names(reader.GetTypeDefinition((TypeDefinitionHandle)parent)),
            _ => default,
        };
        return !name.IsNil && reader.StringComparer.Equals(space, Space) && Attributes.Contains(reader.GetString(name));
    }

    private static (StringHandle Space, StringHandle Name) Names(TypeReference type) => (type.Namespace, type.Name);

    private static (StringHandle Space, StringHandle Name) Names(TypeDefinition type) => (type.Namespace, type.Name);
}
