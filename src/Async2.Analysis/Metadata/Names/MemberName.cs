namespace Async2.Analysis.Metadata.Names;

/// <summary>Metadata names of constructors, accessors, operators and explicit implementations in the words of C#.</summary>
internal static class MemberName
{
    private static readonly string[] Accessors = ["get_", "set_", "add_", "remove_"];

    private static readonly Dictionary<string, string> Operators = new(StringComparer.Ordinal)
    {
        ["op_Addition"] = "+",
        ["op_Subtraction"] = "-",
        ["op_Multiply"] = "*",
        ["op_Division"] = "/",
        ["op_Modulus"] = "%",
        ["op_BitwiseAnd"] = "&",
        ["op_BitwiseOr"] = "|",
        ["op_ExclusiveOr"] = "^",
        ["op_LeftShift"] = "<<",
        ["op_RightShift"] = ">>",
        ["op_UnsignedRightShift"] = ">>>",
        ["op_Equality"] = "==",
        ["op_Inequality"] = "!=",
        ["op_LessThan"] = "<",
        ["op_LessThanOrEqual"] = "<=",
        ["op_GreaterThan"] = ">",
        ["op_GreaterThanOrEqual"] = ">=",
        ["op_UnaryPlus"] = "+",
        ["op_UnaryNegation"] = "-",
        ["op_LogicalNot"] = "!",
        ["op_OnesComplement"] = "~",
        ["op_Increment"] = "++",
        ["op_Decrement"] = "--",
        ["op_True"] = "true",
        ["op_False"] = "false",
    };

    /// <summary>
    /// <c>.ctor</c> is the type's name, <c>get_Total</c> is <c>Total.get</c>, <c>Shop.IPay.PayAsync</c> is <c>IPay.PayAsync</c>.
    /// </summary>
    /// <param name="isSpecial">Whether metadata marks the name as special: a method may well be called <c>add_item</c>.</param>
    public static string Readable(string rawName, string typeName, bool isSpecial)
    {
        if (rawName == ".ctor") return typeName;
        if (rawName == ".cctor") return rawName;
        var dot = LastDotOutsideBrackets(rawName);
        if (dot <= 0 || dot == rawName.Length - 1) return Simple(rawName, isSpecial);
        return TypeName.Short(TypeName.FromRuntimeName(rawName[..dot])) + "." + Simple(rawName[(dot + 1)..], isSpecial);
    }

    private static string Simple(string name, bool isSpecial)
    {
        if (!isSpecial) return name;
        if (name is "op_Implicit" or "op_Explicit") return name == "op_Implicit" ? "implicit operator" : "explicit operator";
        if (Operators.TryGetValue(name, out var symbol)) return "operator " + symbol;
        foreach (var prefix in Accessors)
        {
            if (name.Length > prefix.Length && name.StartsWith(prefix, StringComparison.Ordinal))
                return name[prefix.Length..] + "." + prefix[..^1];
        }

        return name;
    }

    private static int LastDotOutsideBrackets(string name)
    {
        var open = 0;
        for (var i = name.Length - 1; i >= 0; i--)
        {
            if (name[i] == '>') open++;
            else if (name[i] == '<') open--;
            else if (name[i] == '.' && open == 0) return i;
        }

        return -1;
    }
}
