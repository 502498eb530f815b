using System.Collections.Immutable;
using System.Reflection.Metadata;

namespace Async2.Analysis.Metadata.Signatures;

/// <summary>A variable as its method's signatures and names tell it.</summary>
/// <param name="Name">As in source; null for what the compiler made.</param>
/// <param name="Type">Declared type, with type parameters of the definition.</param>
internal sealed record DeclaredVariable(string? Name, TypeSig Type);

/// <summary>The parameters of a method, without <c>this</c>.</summary>
/// <param name="HasThis">It is an instance method.</param>
/// <param name="IsInValueType">Its <c>this</c> is a reference to a struct.</param>
/// <param name="DeclaringTypeName">Metadata name of the type that declares it, without namespace.</param>
internal sealed record MethodVariables(bool HasThis, bool IsInValueType, string DeclaringTypeName, ImmutableArray<DeclaredVariable> Parameters)
{
    public static MethodVariables Of(MetadataReader reader, MethodDefinitionHandle handle)
    {
        MethodDefinition method = reader.GetMethodDefinition(handle);
        MethodSig signature = new SignatureReader(reader, method.Signature).ReadMethod();
        string?[] names = new string?[signature.Parameters.Length];
        foreach (ParameterHandle parameterHandle in method.GetParameters().Take(names.Length + 1))
        {
            Parameter parameter = reader.GetParameter(parameterHandle);
            if (parameter.SequenceNumber >= 1 && parameter.SequenceNumber <= names.Length)
                names[parameter.SequenceNumber - 1] = CappedText.Cap(reader.GetString(parameter.Name));
        }
        TypeDefinition type = reader.GetTypeDefinition(method.GetDeclaringType());
        return new MethodVariables(signature.HasThis, IsValueType(reader, type), CappedText.Cap(reader.GetString(type.Name)),
            [.. signature.Parameters.Select((sig, i) => new DeclaredVariable(names[i], sig))]);
    }

    private static bool IsValueType(MetadataReader reader, TypeDefinition type) => type.BaseType.Kind switch
    {
        HandleKind.TypeReference when !type.BaseType.IsNil => TypeTable.Of(reader, (TypeReferenceHandle)type.BaseType).Is("System.ValueType"),
        HandleKind.TypeDefinition when !type.BaseType.IsNil => TypeTable.Of(reader, (TypeDefinitionHandle)type.BaseType).Is("System.ValueType"),
        _ => false,
    };
}
