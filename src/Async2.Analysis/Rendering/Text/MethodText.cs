namespace Async2.Analysis.Rendering.Text;

/// <summary>
/// A method name in parts, so that a narrow terminal loses the namespaces of type arguments first, then the parameters, the type
/// arguments, the middle of the namespace, the whole namespace, the type, and finally the name.
/// </summary>
/// <param name="Prefix">Namespace and type with the last dot, <c>Shop.Orders.</c>; may be empty.</param>
/// <param name="Name"><c>PayAsync</c>.</param>
/// <param name="Suffix">Type arguments and parameters, <c>&lt;string&gt;(int)</c>; may be empty.</param>
public sealed record MethodText(string Prefix, string Name, string Suffix)
{
    /// <summary>Columns of the full name.</summary>
    public int Columns => TextColumns.Of(Prefix) + TextColumns.Of(Name) + TextColumns.Of(Suffix);

    /// <summary>Only type and name: <c>Orders.PayAsync</c>.</summary>
    public string TypeAndName => Prefix[TypeStart()..] + Name;

    /// <summary>Splits an escaped C# method name.</summary>
    public static MethodText Split(string method)
    {
        int depth = 0, nameStart = 0;
        for (int i = 0; i < method.Length; i++)
        {
            char c = method[i];
            if (c == '(' && depth == 0)
                return new MethodText(method[..nameStart], NameOf(method[nameStart..i], out string arguments), arguments + method[i..]);
            if (c == '<')
                depth++;
            else if (c == '>')
                depth--;
            else if (c == '.' && depth == 0 && i > nameStart)
                nameStart = KeepsWithNext(method, i) ? nameStart : i + 1;
        }
        return depth == 0 ? new MethodText(method[..nameStart], method[nameStart..], "") : new MethodText("", method, "");
    }

    /// <summary>The longest of the shorter forms that fits; at worst the start of the name.</summary>
    /// <param name="columns">Available columns.</param>
    /// <param name="ellipsis">Replacement for omitted text.</param>
    public MethodText Fit(int columns, string ellipsis)
    {
        if (Columns <= columns)
            return this;
        foreach (MethodText form in Shorter(ellipsis))
        {
            if (form.Columns <= columns)
                return form;
        }
        return new MethodText("", CutName(Math.Max(1, columns - ellipsis.Length), ellipsis), "");
    }

    private IEnumerable<MethodText> Shorter(string ellipsis)
    {
        string suffix = Suffix is "" or "()" ? Suffix : $"({ellipsis})";
        MethodText simple = new(TypeArgumentText.Simple(Prefix), Name, TypeArgumentText.Simple(Suffix)), bare = simple with { Suffix = suffix };
        MethodText empty = bare with { Prefix = TypeArgumentText.Empty(Prefix, ellipsis) };
        int middle = empty.Prefix.IndexOf('.', StringComparison.Ordinal), type = empty.TypeStart();
        yield return simple;
        yield return bare;
        yield return empty;
        if (middle + 1 < type)
            yield return empty with { Prefix = empty.Prefix[..middle] + ellipsis + empty.Prefix[type..] };
        yield return bare with { Prefix = bare.Prefix[bare.TypeStart()..] };
        yield return empty with { Prefix = empty.Prefix[type..] };
        yield return new("", Name, suffix);
        yield return new("", Name, "");
    }

    // Both ends are more informative than one, if there is room.
    private string CutName(int columns, string ellipsis)
    {
        const int narrow = 16;
        if (columns < narrow || TextColumns.Of(Name) != Name.Length)
            return TextColumns.Cut(Name, columns) + ellipsis;
        int end = columns / 2;
        return Name[..(columns - end)] + ellipsis + Name[^end..];
    }

    // "PayAsync.lambda" is one name: the lambda has no other.
    private static bool KeepsWithNext(string method, int dot)
        => method.AsSpan(dot + 1).StartsWith("lambda", StringComparison.Ordinal);

    private static string NameOf(string nameAndArguments, out string arguments)
    {
        int open = nameAndArguments.IndexOf('<', StringComparison.Ordinal);
        arguments = open > 0 ? nameAndArguments[open..] : "";
        return open > 0 ? nameAndArguments[..open] : nameAndArguments;
    }

    private int TypeStart()
    {
        int depth = 0;
        for (int i = Prefix.Length - 2; i >= 0; i--)
        {
            char c = Prefix[i];
            if (c == '>')
                depth++;
            else if (c == '<')
                depth--;
            else if (c == '.' && depth == 0)
                return i + 1;
        }
        return 0;
    }
}
