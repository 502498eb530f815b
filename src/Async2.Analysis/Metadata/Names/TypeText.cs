using System.Collections.Immutable;
using System.Text;
using Async2.Analysis.Metadata.Signatures;

namespace Async2.Analysis.Metadata.Names;

/// <summary>Prints types of signatures the way C# developers write them: <c>Dictionary&lt;string, int?&gt;[]</c>, no namespaces.</summary>
/// <param name="TypeArguments">What to print for each type parameter of the declaring type.</param>
/// <param name="MethodArguments">What to print for each type parameter of the method.</param>
internal sealed record TypeText(ImmutableArray<string> TypeArguments, ImmutableArray<string> MethodArguments)
{
    private const string Nullable = "System.Nullable`1";
    private const string Tuple = "System.ValueTuple`";

    public string Of(TypeSig type)
    {
        var text = new StringBuilder();
        Write(text, type);
        return text.ToString();
    }

    /// <summary>Recursion is safe (<see cref="SignatureReader"/> bounds the depth); the length check bounds what is printed.</summary>
    private void Write(StringBuilder text, TypeSig type)
    {
        if (text.Length > CappedText.MaxLength) return;
        switch (type.Kind)
        {
            case TypeSigKind.Primitive:
                text.Append(Keywords.For(type.Primitive));
                break;
            case TypeSigKind.TypeParameter:
                text.Append(Argument(TypeArguments, type.Number));
                break;
            case TypeSigKind.MethodParameter:
                text.Append(Argument(MethodArguments, type.Number));
                break;
            case TypeSigKind.Array:
                WriteArray(text, type);
                break;
            case TypeSigKind.Pointer:
                Write(text, type.Parts[0]);
                text.Append('*');
                break;
            case TypeSigKind.ByRef:
                text.Append("ref ");
                Write(text, type.Parts[0]);
                break;
            case TypeSigKind.FunctionPointer:
                WriteFunctionPointer(text, type);
                break;
            default:
                WriteNamed(text, type);
                break;
        }
    }

    private static string Argument(ImmutableArray<string> arguments, int number)
    {
        if (number < arguments.Length) return arguments[number];
        return number == 0 ? "T" : "T" + number;
    }

    /// <summary>C# writes the ranks of nested arrays outermost first, metadata nests them innermost first.</summary>
    private void WriteArray(StringBuilder text, TypeSig type)
    {
        var element = type;
        while (element.Kind == TypeSigKind.Array) element = element.Parts[0];
        Write(text, element);
        for (var array = type; array.Kind == TypeSigKind.Array; array = array.Parts[0])
            text.Append('[').Append(',', Math.Max(0, array.Number - 1)).Append(']');
    }

    private void WriteFunctionPointer(StringBuilder text, TypeSig type)
    {
        text.Append("delegate*<");
        WriteList(text, type.Parts.RemoveAt(0).Add(type.Parts[0]));
        text.Append('>');
    }

    private void WriteNamed(StringBuilder text, TypeSig type)
    {
        var id = type.Type!;
        if (id.Is(Nullable) && type.Parts.Length == 1)
        {
            Write(text, type.Parts[0]);
            text.Append('?');
        }
        else if (type.Parts.Length > 1 && id.FullName.StartsWith(Tuple, StringComparison.Ordinal))
        {
            text.Append('(');
            WriteList(text, TupleElements(type));
            text.Append(')');
        }
        else if (type.Parts.IsEmpty && Keywords.For(id.FullName) is { } keyword) text.Append(keyword);
        else WritePath(text, id.Path, type.Parts);
    }

    /// <summary>The eighth element of a long tuple holds the rest of it, as a tuple.</summary>
    private static ImmutableArray<TypeSig> TupleElements(TypeSig tuple)
    {
        var elements = tuple.Parts;
        while (elements.Length % 7 == 1 && elements.Length > 7 && elements[^1] is { Kind: TypeSigKind.Named } rest
            && rest.Type!.FullName.StartsWith(Tuple, StringComparison.Ordinal))
        {
            elements = elements.RemoveAt(elements.Length - 1).AddRange(rest.Parts);
        }

        return elements;
    }

    /// <summary>Each name of a nested type takes as many of the type arguments as its arity mark says.</summary>
    private void WritePath(StringBuilder text, ImmutableArray<string> path, ImmutableArray<TypeSig> arguments)
    {
        var used = 0;
        for (var i = 0; i < path.Length; i++)
        {
            var name = ArityName.Parse(path[i]);
            if (i > 0) text.Append('.');
            text.Append(GeneratedName.ReadableType(name.Name));
            var take = Math.Min(name.Arity, arguments.Length - used);
            if (take == 0) continue;
            text.Append('<');
            WriteList(text, arguments.Slice(used, take));
            text.Append('>');
            used += take;
        }
    }

    private void WriteList(StringBuilder text, ImmutableArray<TypeSig> types)
    {
        for (var i = 0; i < types.Length; i++)
        {
            if (i > 0) text.Append(", ");
            Write(text, types[i]);
        }
    }
}
