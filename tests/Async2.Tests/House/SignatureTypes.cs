using System.Collections.Immutable;
using System.Reflection.Metadata;

namespace Async2.Tests.House;

/// <summary>Decodes a signature into a text for people and the list of all types in it.</summary>
internal sealed class SignatureTypes : ISignatureTypeProvider<string, object?>
{
    /// <summary>All types met so far.</summary>
    public List<EntityHandle> Met { get; } = [];

    public string GetTypeFromDefinition(MetadataReader reader, TypeDefinitionHandle handle, byte rawTypeKind)
    {
        Met.Add(handle);
        return reader.GetString(reader.GetTypeDefinition(handle).Name);
    }

    public string GetTypeFromReference(MetadataReader reader, TypeReferenceHandle handle, byte rawTypeKind)
    {
        Met.Add(handle);
        return reader.GetString(reader.GetTypeReference(handle).Name);
    }

    public string GetTypeFromSpecification(MetadataReader reader, object? context, TypeSpecificationHandle handle, byte rawTypeKind)
        => reader.GetTypeSpecification(handle).DecodeSignature(this, context);

    public string GetGenericInstantiation(string type, ImmutableArray<string> arguments) => $"{type}<{string.Join(",", arguments)}>";

    public string GetFunctionPointerType(MethodSignature<string> signature) => "fnptr";

    public string GetPrimitiveType(PrimitiveTypeCode code) => code.ToString();

    public string GetArrayType(string element, ArrayShape shape) => element + "[,]";

    public string GetSZArrayType(string element) => element + "[]";

    public string GetByReferenceType(string element) => element + "&";

    public string GetPointerType(string element) => element + "*";

    public string GetPinnedType(string element) => element;

    public string GetModifiedType(string modifier, string unmodified, bool isRequired) => unmodified;

    public string GetGenericMethodParameter(object? context, int index) => "!!" + index;

    public string GetGenericTypeParameter(object? context, int index) => "!" + index;
}
