using System.Collections;
using System.Globalization;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text;

namespace Scenarios.Support;

/// <summary>An argument or a local of a frame while it awaits.</summary>
/// <param name="Name">As in source.</param>
/// <param name="Type">C# form without namespaces; of an object its own type.</param>
/// <param name="Value">C# form; <c>{object}</c> stands for the address of an object.</param>
public sealed record LocalTruth(string Name, string Type, string Value);

/// <summary>What a reader should see of a value. Written with reflection, unlike what it is to check.</summary>
public static class LocalText
{
    private const int Shown = 100;

    public static LocalTruth Of<T>(string name, T value)
    {
        Type type = value is null || Nullable.GetUnderlyingType(typeof(T)) is not null ? typeof(T) : value.GetType();
        return new LocalTruth(name, NameOf(type), ValueOf(value));
    }

    private static string ValueOf(object? value) => value switch
    {
        null => "null",
        bool truth => truth ? "true" : "false",
        char c => "'" + Escape(c, '\'') + "'",
        string text => Quote(text),
        float or double or Half => ((IFormattable)value).ToString("R", CultureInfo.InvariantCulture),
        DateTime date => date.ToString("yyyy-MM-ddTHH:mm:ss.FFFFFFF", CultureInfo.InvariantCulture) + date.Kind switch
        {
            DateTimeKind.Utc => "Z",
            DateTimeKind.Local => " local",
            _ => "",
        },
        DateTimeOffset date => date.ToString("yyyy-MM-ddTHH:mm:ss.FFFFFFFzzz", CultureInfo.InvariantCulture),
        DateOnly day => day.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture),
        TimeOnly time => time.ToString("HH:mm:ss.FFFFFFF", CultureInfo.InvariantCulture),
        Enum member => EnumOf(member),
        Array array => NameOf(value.GetType()).Replace("[]", $"[{array.Length}]") + " {object}",
        ICollection collection and (IList or IDictionary) => $"Count = {collection.Count} {{object}}",
        ITuple tuple when value is ValueType => "(" + string.Join(", ", Enumerable.Range(0, tuple.Length).Select(i => ValueOf(tuple[i]))) + ")",
        IFormattable number when value.GetType().Namespace == "System" => number.ToString(null, CultureInfo.InvariantCulture),
        ValueType => "{ " + string.Join(", ", Fields(value).Select(f => $"{f.Name.TrimStart('<').Split('>')[0]} = {ValueOf(f.GetValue(value))}")) + " }",
        _ => "{object}",
    };

    private static FieldInfo[] Fields(object value) => value.GetType().GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic);

    private static string EnumOf(Enum member)
    {
        string type = NameOf(member.GetType()), text = member.ToString();
        return char.IsAsciiDigit(text[0]) || text[0] == '-'
            ? $"({type}){text}"
            : string.Join(" | ", text.Split(", ").Select(m => $"{type}.{m}"));
    }

    private static string Quote(string text)
    {
        var quoted = new StringBuilder("\"");
        for (int i = 0; i < Math.Min(text.Length, Shown); i++)
        {
            if (char.IsSurrogatePair(text, i)) quoted.Append(text[i]).Append(text[++i]);
            else quoted.Append(Escape(text[i], '"'));
        }
        return quoted.Append('"').Append(text.Length > Shown ? "\u2026" : "").ToString();
    }

    private static string Escape(char c, char quote) => c switch
    {
        '\\' => @"\\",
        '\n' => @"\n",
        '\r' => @"\r",
        '\t' => @"\t",
        '\0' => @"\0",
        _ when c == quote => "\\" + c,
        _ when char.IsControl(c) || char.IsSurrogate(c) || char.GetUnicodeCategory(c) == UnicodeCategory.Format => $"\\u{(int)c:x4}",
        _ => c.ToString(),
    };

    private static string NameOf(Type type)
    {
        if (type.IsArray) return NameOf(type.GetElementType()!) + "[]";
        if (Nullable.GetUnderlyingType(type) is { } inner) return NameOf(inner) + "?";
        if (Keywords.TryGetValue(type, out string? keyword)) return keyword;
        string name = type.Name.Split('`')[0];
        if (!type.IsGenericType) return name;
        // A nested type repeats the arguments of the type around it; they are shown there, and so not here.
        int own = type.Name.Contains('`') ? int.Parse(type.Name.Split('`')[1], CultureInfo.InvariantCulture) : 0;
        string[] arguments = [.. type.GenericTypeArguments.TakeLast(own).Select(NameOf)];
        if (name == "ValueTuple" && own > 1) return "(" + string.Join(", ", arguments) + ")";
        return own == 0 ? name : $"{name}<{string.Join(", ", arguments)}>";
    }

    private static readonly Dictionary<Type, string> Keywords = new()
    {
        [typeof(bool)] = "bool", [typeof(byte)] = "byte", [typeof(sbyte)] = "sbyte", [typeof(short)] = "short", [typeof(ushort)] = "ushort",
        [typeof(int)] = "int", [typeof(uint)] = "uint", [typeof(long)] = "long", [typeof(ulong)] = "ulong", [typeof(float)] = "float",
        [typeof(double)] = "double", [typeof(decimal)] = "decimal", [typeof(char)] = "char", [typeof(string)] = "string",
        [typeof(object)] = "object", [typeof(nint)] = "nint", [typeof(nuint)] = "nuint",
    };
}
