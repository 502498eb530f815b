using System.Reflection.Metadata;

namespace Async2.Analysis.Metadata.Signatures;

/// <summary>Interfaces that a type definition names itself. ClrMD has no names of generic ones.</summary>
internal static class InterfaceTable
{
    private const int Limit = 256;
    private const byte GenericInstance = 0x15; // ELEMENT_TYPE_GENERICINST, ECMA-335 II.23.1.16

    /// <summary>Full names without type arguments: <c>System.Collections.Generic.IEnumerable`1</c>.</summary>
    public static IReadOnlyList<string> Of(MetadataReader reader, TypeDefinitionHandle type)
        =>
        [
            .. reader.GetTypeDefinition(type).GetInterfaceImplementations().Take(Limit)
                .Select(handle => NameOf(reader, Definition(reader, reader.GetInterfaceImplementation(handle).Interface)))
                .OfType<string>(),
        ];

    // A generic interface is a signature: GENERICINST, CLASS, the definition, its arguments.
    private static EntityHandle Definition(MetadataReader reader, EntityHandle named)
    {
        if (named.Kind != HandleKind.TypeSpecification)
            return named;
        BlobReader signature = reader.GetBlobReader(reader.GetTypeSpecification((TypeSpecificationHandle)named).Signature);
        if (signature.ReadByte() != GenericInstance)
            return default;
        signature.ReadByte();
        return signature.ReadTypeHandle();
    }

    private static string? NameOf(MetadataReader reader, EntityHandle type) => type.IsNil ? null : type.Kind switch
    {
        HandleKind.TypeDefinition => TypeTable.Of(reader, (TypeDefinitionHandle)type).FullName,
        HandleKind.TypeReference => TypeTable.Of(reader, (TypeReferenceHandle)type).FullName,
        _ => null,
    };
}
