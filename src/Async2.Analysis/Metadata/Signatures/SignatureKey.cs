using System.Text;

namespace Async2.Analysis.Metadata.Signatures;

/// <summary>
/// Prints a signature so that two are equal exactly when they mean the same method: full names without assemblies (a type may be
/// forwarded), type parameters by position. Open form: a reference to <c>Cache&lt;int&gt;.Get</c> has the text of its definition.
/// </summary>
internal static class SignatureKey
{
    public static string Of(MethodSig signature)
    {
        var text = new StringBuilder(signature.HasThis ? "instance " : "");
        Write(text, signature.Return);
        text.Append('(');
        for (var i = 0; i < signature.Parameters.Length; i++)
        {
            if (i > 0) text.Append(',');
            Write(text, signature.Parameters[i]);
        }

        return text.Append(')').ToString();
    }

    /// <summary>Recursion is safe: <see cref="SignatureReader"/> builds no deep trees.</summary>
    private static void Write(StringBuilder text, TypeSig type)
    {
        switch (type.Kind)
        {
            case TypeSigKind.Primitive:
                text.Append(Keywords.For(type.Primitive));
                break;
            case TypeSigKind.TypeParameter:
                text.Append('!').Append(type.Number);
                break;
            case TypeSigKind.MethodParameter:
                text.Append("!!").Append(type.Number);
                break;
            case TypeSigKind.Named:
                text.Append(type.Type!.FullName);
                if (!type.Parts.IsEmpty) WriteParts(text, type, '<', '>');
                break;
            case TypeSigKind.Array:
                Write(text, type.Parts[0]);
                text.Append('[').Append(type.Number).Append(']');
                break;
            case TypeSigKind.FunctionPointer:
                WriteParts(text, type, '{', '}');
                break;
            default:
                Write(text, type.Parts[0]);
                text.Append(type.Kind == TypeSigKind.ByRef ? '&' : '*');
                break;
        }
    }

    private static void WriteParts(StringBuilder text, TypeSig type, char open, char close)
    {
        text.Append(open);
        for (var i = 0; i < type.Parts.Length; i++)
        {
            if (i > 0) text.Append(',');
            Write(text, type.Parts[i]);
        }

        text.Append(close);
    }
}
