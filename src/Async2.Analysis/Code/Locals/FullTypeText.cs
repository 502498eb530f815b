using System.Collections.Immutable;
using System.Text;
using Async2.Analysis.Metadata.Names;
using Async2.Analysis.Metadata.Signatures;

namespace Async2.Analysis.Code.Locals;

/// <summary>
/// Types of signatures in the form that <see cref="TypeName.FromRuntimeName"/> gives to the runtime's names, namespaces and all, so
/// that the two can be compared.
/// </summary>
/// <param name="TypeArguments">C# names for the type parameters of the declaring type.</param>
/// <param name="MethodArguments">The same for those of the method.</param>
internal sealed record FullTypeText(ImmutableArray<string> TypeArguments, ImmutableArray<string> MethodArguments)
{
    public string Of(TypeSig type)
    {
        var text = new StringBuilder();
        Write(text, type);
        return CappedText.Cap(text.ToString());
    }

    /// <summary>What a type parameter stands for; null if the type is none, or if it is unknown.</summary>
    public string? ArgumentFor(TypeSig type)
    {
        ImmutableArray<string> arguments = type.Kind switch
        {
            TypeSigKind.TypeParameter => TypeArguments,
            TypeSigKind.MethodParameter => MethodArguments,
            _ => [],
        };
        return type.Number < arguments.Length && arguments[type.Number] != TypeName.Unknown ? arguments[type.Number] : null;
    }

    // The depth of a signature is bounded by its reader.
    private void Write(StringBuilder text, TypeSig type)
    {
        if (text.Length > CappedText.MaxLength)
            return;
        switch (type.Kind)
        {
            case TypeSigKind.Primitive:
                text.Append(Keywords.For(type.Primitive));
                break;
            case TypeSigKind.TypeParameter or TypeSigKind.MethodParameter:
                text.Append(ArgumentFor(type) ?? TypeName.Unknown);
                break;
            case TypeSigKind.Array:
                WriteArray(text, type);
                break;
            case TypeSigKind.Pointer or TypeSigKind.ByRef:
                text.Append(type.Kind == TypeSigKind.ByRef ? "ref " : "");
                Write(text, type.Parts[0]);
                text.Append(type.Kind == TypeSigKind.Pointer ? "*" : "");
                break;
            case TypeSigKind.FunctionPointer:
                text.Append("delegate*");
                break;
            default:
                WriteNamed(text, type);
                break;
        }
    }

    private void WriteArray(StringBuilder text, TypeSig type)
    {
        TypeSig element = type;
        while (element.Kind == TypeSigKind.Array)
            element = element.Parts[0];
        Write(text, element);
        for (TypeSig array = type; array.Kind == TypeSigKind.Array; array = array.Parts[0])
            text.Append('[').Append(',', Math.Max(0, array.Number - 1)).Append(']');
    }

    private void WriteNamed(StringBuilder text, TypeSig type)
    {
        TypeId id = type.Type!;
        if (id.Is("System.Nullable`1") && type.Parts.Length == 1)
        {
            Write(text, type.Parts[0]);
            text.Append('?');
        }
        else if (type.Parts.Length > 1 && id.FullName.StartsWith("System.ValueTuple`", StringComparison.Ordinal))
        {
            WriteList(text.Append('('), type.Parts);
            text.Append(')');
        }
        else if (type.Parts.IsEmpty && Keywords.For(id.FullName) is { } keyword)
        {
            text.Append(keyword);
        }
        else
        {
            WritePath(text, id, type.Parts);
        }
    }

    private void WritePath(StringBuilder text, TypeId id, ImmutableArray<TypeSig> arguments)
    {
        text.Append(id.Namespace);
        int used = 0;
        for (int i = 0; i < id.Path.Length; i++)
        {
            ArityName name = ArityName.Parse(id.Path[i]);
            text.Append(i > 0 || id.Namespace.Length > 0 ? "." : "").Append(GeneratedName.ReadableType(name.Name));
            int take = Math.Min(name.Arity, arguments.Length - used);
            if (take == 0)
                continue;
            WriteList(text.Append('<'), arguments.Slice(used, take));
            text.Append('>');
            used += take;
        }
    }

    private void WriteList(StringBuilder text, ImmutableArray<TypeSig> types)
    {
        for (int i = 0; i < types.Length; i++)
        {
            text.Append(i > 0 ? ", " : "");
            Write(text, types[i]);
        }
    }
}
