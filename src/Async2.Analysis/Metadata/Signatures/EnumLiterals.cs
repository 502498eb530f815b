using System.Reflection;
using System.Reflection.Metadata;

namespace Async2.Analysis.Metadata.Signatures;

/// <summary>Members of an enum with their values, from metadata: the enum needs not be loaded.</summary>
internal static class EnumLiterals
{
    private const int MemberLimit = 4096;

    /// <param name="reader">Metadata of the module that defines it.</param>
    /// <param name="fullName">Namespace and name; no nested type.</param>
    /// <returns>Null if the module has no such type.</returns>
    public static IReadOnlyDictionary<string, long>? Of(MetadataReader reader, string fullName)
    {
        int dot = fullName.LastIndexOf('.');
        foreach (TypeDefinitionHandle handle in reader.TypeDefinitions)
        {
            TypeDefinition type = reader.GetTypeDefinition(handle);
            if (reader.StringComparer.Equals(type.Name, fullName[(dot + 1)..]) && reader.StringComparer.Equals(type.Namespace, fullName[..Math.Max(dot, 0)])
                && !type.IsNested)
                return Members(reader, type);
        }
        return null;
    }

    private static Dictionary<string, long> Members(MetadataReader reader, TypeDefinition type)
    {
        var members = new Dictionary<string, long>(StringComparer.Ordinal);
        foreach (FieldDefinitionHandle handle in type.GetFields())
        {
            FieldDefinition field = reader.GetFieldDefinition(handle);
            if ((field.Attributes & FieldAttributes.Literal) == 0 || field.GetDefaultValue() is not { IsNil: false } value || members.Count >= MemberLimit)
                continue;
            Constant constant = reader.GetConstant(value);
            BlobReader blob = reader.GetBlobReader(constant.Value);
            if (constant.TypeCode == ConstantTypeCode.Int32)
                members[CappedText.Cap(reader.GetString(field.Name))] = blob.ReadInt32();
            else if (constant.TypeCode == ConstantTypeCode.UInt32)
                members[CappedText.Cap(reader.GetString(field.Name))] = blob.ReadUInt32();
        }
        return members;
    }
}
