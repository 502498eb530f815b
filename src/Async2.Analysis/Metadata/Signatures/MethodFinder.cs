using System.Reflection.Metadata;

namespace Async2.Analysis.Metadata.Signatures;

/// <summary>Finds definitions by name: types through a table built once per module, methods among those of the type.</summary>
internal sealed class MethodFinder
{
    /// <summary>Bound for the text in a table of names; the core library needs 100 thousand chars.</summary>
    public const long MaxNameTableChars = 64 * 1024 * 1024;

    private readonly MetadataReader _reader;
    private readonly Dictionary<string, TypeDefinitionHandle> _types = new(StringComparer.Ordinal);

    public MethodFinder(MetadataReader reader)
    {
        _reader = reader;
        UntrustedBytes.Read(reader, Fill);
    }

    private bool Fill()
    {
        long chars = 0;
        foreach (var type in _reader.TypeDefinitions)
        {
            var name = TypeTable.Of(_reader, type).FullName;
            _types.TryAdd(name, type);
            chars += name.Length;
            if (chars > MaxNameTableChars) break;
        }

        return true;
    }

    /// <summary>The method with exactly this key, or nil.</summary>
    public MethodDefinitionHandle Find(MethodKey key)
    {
        if (!_types.TryGetValue(key.Type, out var type)) return default;
        foreach (var handle in _reader.GetTypeDefinition(type).GetMethods())
        {
            var method = _reader.GetMethodDefinition(handle);
            if (!_reader.StringComparer.Equals(method.Name, key.Name)) continue;
            var signature = new SignatureReader(_reader, method.Signature).ReadMethod();
            if (signature.GenericArity == key.GenericArity && SignatureKey.Of(signature) == key.Signature) return handle;
        }

        return default;
    }

    /// <summary>The type with a full name, or nil.</summary>
    public TypeDefinitionHandle FindType(string fullName) => _types.GetValueOrDefault(fullName);

    /// <summary>Assembly that an outermost type is forwarded to, or null.</summary>
    public string? ForwardOf(string fullName)
    {
        // A facade has thousands, so nothing is made for those that are not meant. Names of types have no dots.
        var length = fullName.LastIndexOf('.');
        string name = fullName[(length + 1)..], space = length < 0 ? "" : fullName[..length];
        foreach (var handle in _reader.ExportedTypes)
        {
            var type = _reader.GetExportedType(handle);
            if (type.Implementation.Kind == HandleKind.AssemblyReference && _reader.StringComparer.Equals(type.Name, name) && _reader.StringComparer.Equals(type.Namespace, space))
                return _reader.GetString(_reader.GetAssemblyReference((AssemblyReferenceHandle)type.Implementation).Name);
        }

        return null;
    }
}
