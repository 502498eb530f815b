using System.Reflection.Metadata;

namespace Async2.Analysis.Metadata.Signatures;

/// <summary>The words that C# has for built-in types.</summary>
internal static class Keywords
{
    private static readonly Dictionary<string, string> ByName = new(StringComparer.Ordinal)
    {
        ["System.Void"] = "void",
        ["System.Boolean"] = "bool",
        ["System.Char"] = "char",
        ["System.SByte"] = "sbyte",
        ["System.Byte"] = "byte",
        ["System.Int16"] = "short",
        ["System.UInt16"] = "ushort",
        ["System.Int32"] = "int",
        ["System.UInt32"] = "uint",
        ["System.Int64"] = "long",
        ["System.UInt64"] = "ulong",
        ["System.Single"] = "float",
        ["System.Double"] = "double",
        ["System.String"] = "string",
        ["System.Object"] = "object",
        ["System.Decimal"] = "decimal",
        ["System.IntPtr"] = "nint",
        ["System.UIntPtr"] = "nuint",
    };

    private static readonly HashSet<string> Values = [.. ByName.Values.Except(["void", "string", "object"])];

    /// <summary>Whether a C# type name is the keyword of a struct.</summary>
    public static bool IsValue(string csharpName) => Values.Contains(csharpName);

    /// <summary>Keyword for a full type name, or null.</summary>
    public static string? For(string fullName) => ByName.GetValueOrDefault(fullName);

    public static string For(PrimitiveTypeCode code) =>
        code == PrimitiveTypeCode.TypedReference ? "TypedReference" : ByName["System." + code];
}
