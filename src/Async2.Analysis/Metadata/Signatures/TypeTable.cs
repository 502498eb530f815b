using System.Collections.Immutable;
using System.Reflection.Metadata;

namespace Async2.Analysis.Metadata.Signatures;

/// <summary>Names of the types that a module defines or refers to. Nesting in metadata may be a cycle: every walk is bounded.</summary>
internal static class TypeTable
{
    private const int MaxNesting = 64;

    /// <summary>The definitions around a type, outermost first, the type itself last.</summary>
    public static ImmutableArray<TypeDefinitionHandle> Nesting(MetadataReader reader, TypeDefinitionHandle type)
    {
        var chain = ImmutableArray.CreateBuilder<TypeDefinitionHandle>();
        for (var current = type; !current.IsNil; current = reader.GetTypeDefinition(current).GetDeclaringType())
        {
            if (chain.Count == MaxNesting) throw new BadImageFormatException("types nest too deep");
            chain.Add(current);
        }

        chain.Reverse();
        return chain.ToImmutable();
    }

    public static TypeId Of(MetadataReader reader, TypeDefinitionHandle type)
    {
        var nesting = Nesting(reader, type);
        if (nesting.IsEmpty) throw new BadImageFormatException("no type");
        var path = nesting.Select(t => reader.GetString(reader.GetTypeDefinition(t).Name)).ToImmutableArray();
        return new TypeId(reader.GetString(reader.GetTypeDefinition(nesting[0]).Namespace), path, null);
    }

    public static TypeId Of(MetadataReader reader, TypeReferenceHandle type)
    {
        var path = ImmutableArray.CreateBuilder<string>();
        EntityHandle scope = type;
        var space = "";
        while (scope.Kind == HandleKind.TypeReference && !scope.IsNil)
        {
            if (path.Count == MaxNesting) throw new BadImageFormatException("types nest too deep");
            var reference = reader.GetTypeReference((TypeReferenceHandle)scope);
            path.Add(reader.GetString(reference.Name));
            space = reader.GetString(reference.Namespace);
            scope = reference.ResolutionScope;
        }

        path.Reverse();
        return new TypeId(space, path.ToImmutable(), AssemblyOf(reader, scope));
    }

    /// <summary>A scope that is not an assembly reference (the module itself, another module of the assembly) counts as our own.</summary>
    private static string? AssemblyOf(MetadataReader reader, EntityHandle scope) =>
        scope.Kind == HandleKind.AssemblyReference && !scope.IsNil
            ? reader.GetString(reader.GetAssemblyReference((AssemblyReferenceHandle)scope).Name)
            : null;
}
