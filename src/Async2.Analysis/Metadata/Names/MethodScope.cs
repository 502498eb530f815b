using System.Collections.Immutable;
using System.Reflection.Metadata;
using System.Text;
using Async2.Analysis.Metadata.Signatures;

namespace Async2.Analysis.Metadata.Names;

/// <summary>
/// Where a method stands: the innermost type around it that a developer wrote (closures and state machines are looked through),
/// and what its type parameters are called.
/// </summary>
internal sealed record MethodScope
{
    /// <summary>C# form with namespace and type arguments.</summary>
    public required string Owner { get; init; }

    /// <summary>Name of the owner alone: what its constructors are called.</summary>
    public required string OwnerSimpleName { get; init; }

    /// <summary>Metadata name of the type that really declares the method: a closure, perhaps.</summary>
    public required string RawTypeName { get; init; }

    /// <summary>That type is not shown because another one around it was written by a developer.</summary>
    public required bool IsInHiddenType { get; init; }

    public required string Namespace { get; init; }

    /// <summary>Type parameters that a closure took over from the method around the lambda.</summary>
    public required ImmutableArray<string> OuterMethodArguments { get; init; }

    public required ImmutableArray<string> MethodArguments { get; init; }

    /// <summary>Prints the types of the method's signature.</summary>
    public required TypeText Text { get; init; }

    public static MethodScope Of(
        MetadataReader reader, MethodDefinition method, IReadOnlyList<string?>? typeArguments, IReadOnlyList<string?>? methodArguments)
    {
        var nesting = TypeTable.Nesting(reader, method.GetDeclaringType());
        if (nesting.IsEmpty) throw new BadImageFormatException("a method without a type");
        var written = nesting.TakeWhile(t => !GeneratedName.IsHiddenType(reader.GetString(reader.GetTypeDefinition(t).Name))).ToImmutableArray();
        if (written.IsEmpty) written = nesting;

        var declared = reader.GetTypeDefinition(nesting[^1]).GetGenericParameters();
        var ofType = Arguments(reader, declared, typeArguments);
        var ofMethod = Arguments(reader, method.GetGenericParameters(), methodArguments);
        var ofOwner = Math.Min(reader.GetTypeDefinition(written[^1]).GetGenericParameters().Count, ofType.Length);
        var space = reader.GetString(reader.GetTypeDefinition(written[0]).Namespace);
        return new MethodScope
        {
            Owner = OwnerName(reader, written, space, ofType[..ofOwner]),
            OwnerSimpleName = GeneratedName.ReadableType(ArityName.Parse(RawName(reader, written[^1])).Name),
            RawTypeName = RawName(reader, nesting[^1]),
            IsInHiddenType = written.Length < nesting.Length,
            Namespace = space,
            OuterMethodArguments = ofType[ofOwner..],
            MethodArguments = ofMethod,
            Text = new TypeText(Short(ofType), Short(ofMethod)),
        };
    }

    private static string RawName(MetadataReader reader, TypeDefinitionHandle type) => reader.GetString(reader.GetTypeDefinition(type).Name);

    private static ImmutableArray<string> Short(ImmutableArray<string> names) => names.Select(TypeName.Short).ToImmutableArray();

    private static ImmutableArray<string> Arguments(
        MetadataReader reader, GenericParameterHandleCollection parameters, IReadOnlyList<string?>? given)
    {
        var names = ImmutableArray.CreateBuilder<string>();
        foreach (var handle in parameters)
        {
            // ECMA-335 counts type parameters in 16 bits, and a cut name shows none of these.
            if (names.Count == 1024) break;
            var argument = given is not null && names.Count < given.Count ? given[names.Count] : null;
            var known = argument is not (null or "" or TypeName.Unknown);
            names.Add(known ? argument! : reader.GetString(reader.GetGenericParameter(handle).Name));
        }

        return names.ToImmutable();
    }

    /// <summary>Metadata repeats the outer type's parameters on the nested one; the arity marks tell which are whose.</summary>
    private static string OwnerName(
        MetadataReader reader, ImmutableArray<TypeDefinitionHandle> nesting, string space, ImmutableArray<string> arguments)
    {
        var text = new StringBuilder(space);
        var used = 0;
        foreach (var type in nesting)
        {
            if (text.Length > CappedText.MaxLength) break;
            var name = ArityName.Parse(RawName(reader, type));
            if (text.Length > 0) text.Append('.');
            text.Append(GeneratedName.ReadableType(name.Name));
            var take = Math.Min(name.Arity, arguments.Length - used);
            if (take > 0) text.Append('<').AppendJoin(", ", arguments.Slice(used, take)).Append('>');
            used += take;
        }

        return text.ToString();
    }
}
