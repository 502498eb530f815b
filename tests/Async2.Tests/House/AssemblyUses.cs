using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;

namespace Async2.Tests.House;

/// <summary>
/// Every use of a type in a built assembly: base types, fields, signatures and method bodies. Read from the product rather
/// than from source text, so that neither an alias nor a fully qualified name nor generated code slips through.
/// </summary>
internal sealed class AssemblyUses
{
    private readonly MetadataReader _reader;
    private readonly PEReader _file;
    private readonly List<TypeUse> _uses = [];
    private string _from = "";
    private string _fromNamespace = "";

    private AssemblyUses(PEReader file) => (_file, _reader) = (file, file.GetMetadataReader());

    public static IReadOnlyList<TypeUse> Of(Stream assembly)
    {
        using var file = new PEReader(assembly);
        var uses = new AssemblyUses(file);
        foreach (TypeDefinitionHandle type in uses._reader.TypeDefinitions)
            uses.AddType(type);
        return uses._uses;
    }

    private void AddType(TypeDefinitionHandle handle)
    {
        TypeDefinition type = _reader.GetTypeDefinition(handle);
        (_from, _fromNamespace) = Name(handle);
        Add(type.BaseType);
        foreach (InterfaceImplementationHandle implemented in type.GetInterfaceImplementations())
            Add(_reader.GetInterfaceImplementation(implemented).Interface);
        foreach (FieldDefinitionHandle field in type.GetFields())
            AddAll(types => _reader.GetFieldDefinition(field).DecodeSignature(types, null));
        foreach (MethodDefinitionHandle method in type.GetMethods())
            AddMethod(_reader.GetMethodDefinition(method));
    }

    private void AddMethod(MethodDefinition method)
    {
        AddAll(types => method.DecodeSignature(types, null));
        if (method.RelativeVirtualAddress == 0)
            return;
        MethodBodyBlock body = _file.GetMethodBody(method.RelativeVirtualAddress);
        if (!body.LocalSignature.IsNil)
            AddAll(types => _reader.GetStandaloneSignature(body.LocalSignature).DecodeLocalSignature(types, null));
        foreach (EntityHandle token in ILTokens.In(body.GetILReader()))
            Add(token);
    }

    private void Add(EntityHandle handle, string? member = null, string signature = "")
    {
        switch (handle.Kind)
        {
            case HandleKind.TypeDefinition or HandleKind.TypeReference when !handle.IsNil:
                (string name, string space) = Name(handle);
                _uses.Add(new TypeUse(_from, _fromNamespace, name, space, member, signature));
                break;
            case HandleKind.TypeSpecification:
                AddAll(types => _reader.GetTypeSpecification((TypeSpecificationHandle)handle).DecodeSignature(types, null), member, signature);
                break;
            case HandleKind.MethodSpecification:
                MethodSpecification generic = _reader.GetMethodSpecification((MethodSpecificationHandle)handle);
                AddAll(types => generic.DecodeSignature(types, null));
                Add(generic.Method);
                break;
            case HandleKind.MemberReference:
                AddMember(_reader.GetMemberReference((MemberReferenceHandle)handle));
                break;
            case HandleKind.MethodDefinition:
                Add(_reader.GetMethodDefinition((MethodDefinitionHandle)handle).GetDeclaringType());
                break;
            case HandleKind.FieldDefinition:
                Add(_reader.GetFieldDefinition((FieldDefinitionHandle)handle).GetDeclaringType());
                break;
        }
    }

    private void AddMember(MemberReference member)
    {
        string signature = "";
        if (member.GetKind() == MemberReferenceKind.Method)
            AddAll(types => signature = string.Join(",", member.DecodeMethodSignature(types, null).ParameterTypes));
        else
            AddAll(types => member.DecodeFieldSignature(types, null));
        Add(member.Parent, _reader.GetString(member.Name), signature);
    }

    private void AddAll(Func<SignatureTypes, object> decode, string? member = null, string signature = "")
    {
        var types = new SignatureTypes();
        decode(types);
        foreach (EntityHandle type in types.Met)
            Add(type, member, signature);
    }

    // A nested type has no namespace of its own in metadata: it belongs to that of the outermost.
    private (string Name, string Namespace) Name(EntityHandle handle)
    {
        if (handle.Kind == HandleKind.TypeDefinition)
        {
            TypeDefinition type = _reader.GetTypeDefinition((TypeDefinitionHandle)handle);
            string own = _reader.GetString(type.Name);
            return type.GetDeclaringType() is { IsNil: false } outer ? Nested(outer, own) : Full(_reader.GetString(type.Namespace), own);
        }
        TypeReference reference = _reader.GetTypeReference((TypeReferenceHandle)handle);
        string name = _reader.GetString(reference.Name);
        return reference.ResolutionScope.Kind == HandleKind.TypeReference
            ? Nested(reference.ResolutionScope, name)
            : Full(_reader.GetString(reference.Namespace), name);
    }

    private (string Name, string Namespace) Nested(EntityHandle outer, string name)
    {
        (string outerName, string space) = Name(outer);
        return ($"{outerName}+{name}", space);
    }

    private static (string Name, string Namespace) Full(string space, string name) => (space.Length == 0 ? name : $"{space}.{name}", space);
}
