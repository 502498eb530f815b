using System.ComponentModel;
using System.Globalization;
using System.Reflection;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace Async2.Tests.Rendering;

/// <summary>Writes the types of a JSON form as TypeScript has them, with their comments.</summary>
internal sealed partial class TypeScriptTypes
{
    private const int LineLength = 130;

    private readonly JsonSerializerOptions _options;
    private readonly Dictionary<string, XElement> _docs;
    private readonly NullabilityInfoContext _nullability = new();
    private readonly List<Type> _types = [];
    private readonly Type[] _imported;
    private readonly StringBuilder _text = new();

    private TypeScriptTypes(JsonSerializerOptions options, Assembly assembly, Type[] imported)
    {
        _imported = imported;
        // What .NET 8's generator made for the library does not know the members that the types have.
        _options = new JsonSerializerOptions(options) { TypeInfoResolver = new DefaultJsonTypeInfoResolver() };
        _docs = XDocument.Load(Path.ChangeExtension(assembly.Location, ".xml")).Descendants("member")
            .GroupBy(member => member.Attribute("name")!.Value).ToDictionary(members => members.Key, members => members.First());
    }

    /// <summary>A type and all that it is made of.</summary>
    /// <param name="root">The type of the whole.</param>
    /// <param name="options">How it is written.</param>
    /// <param name="imported">Types that other files have, with all that they are made of.</param>
    public static string Of(Type root, JsonSerializerOptions options, params Type[] imported)
    {
        var types = new TypeScriptTypes(options, root.Assembly, imported);
        types.NameOf(root);
        for (int i = 0; i < types._types.Count; i++)
            types.Add(types._types[i]);
        return types._text.ToString();
    }

    private string NameOf(Type type)
    {
        if (!_imported.Contains(type) && !_types.Contains(type))
            _types.Add(type);
        return type.Name;
    }

    private void Add(Type type)
    {
        if (_text.Length > 0)
            _text.Append('\n');
        if (type.IsEnum)
        {
            Comment("", Summary($"T:{type.FullName}"));
            AddWordUnion(type);
            return;
        }
        Comment("", Summary($"T:{type.FullName}"));
        Type? parent = type.BaseType is { } known && known != typeof(object) ? known : null;
        _text.Append(CultureInfo.InvariantCulture, $"export interface {type.Name}{(parent is null ? "" : $" extends {NameOf(parent)}")} {{\n");
        foreach (JsonPropertyInfo property in _options.GetTypeInfo(type).Properties.OrderBy(property => property.Order))
        {
            var member = (PropertyInfo)property.AttributeProvider!;
            if (parent?.GetProperty(member.Name) is not null)
                continue;
            NullabilityInfo nullability = _nullability.Create(member);
            Comment("  ", Summary($"P:{member.DeclaringType!.FullName}.{member.Name}") ?? member.GetCustomAttribute<DescriptionAttribute>()?.Description ?? Parameter(type, member.Name));
            _text.Append(CultureInfo.InvariantCulture, $"  readonly {property.Name}{(nullability.ReadState == NullabilityState.Nullable ? "?" : "")}: {Form(type, property, nullability)};\n");
        }
        _text.Append("}\n");
    }

    private string Form(Type type, JsonPropertyInfo property, NullabilityInfo nullability)
        // What is the same in each object is a literal.
        => property.Set is null && type.GetField("SchemaId")?.GetRawConstantValue() is string literal ? $"'{literal}'" : Form(nullability.Type);

    private string Form(Type type)
    {
        if (Nullable.GetUnderlyingType(type) is { } inner)
            return Form(inner);
        if (type == typeof(string))
            return "string";
        if (type == typeof(bool))
            return "boolean";
        if (type == typeof(int) || type == typeof(long) || type == typeof(double))
            return "number";
        if (type.IsGenericType && type.GetGenericTypeDefinition() == typeof(IReadOnlyDictionary<,>))
            return $"Readonly<Record<{Form(type.GenericTypeArguments[0])}, {Form(type.GenericTypeArguments[1])}>>";
        if (type.IsGenericType && type.GetGenericTypeDefinition() == typeof(IEnumerable<>))
            return Form(type.GenericTypeArguments[0]) is var item && item.Contains(' ', StringComparison.Ordinal) ? $"readonly ({item})[]" : $"readonly {item}[]";
        if (type is { IsValueType: true, IsEnum: false } && type.GetCustomAttribute<JsonConverterAttribute>() is not null)
            return $"readonly [{string.Join(", ", type.GetConstructors()[0].GetParameters().Select(part => $"{JsonNamingPolicy.CamelCase.ConvertName(part.Name!)}: {Form(part.ParameterType)}"))}]";
        Assert.True(type.IsEnum || type is { IsClass: true, IsGenericType: false, IsArray: false }, $"there is no form of {type} in TypeScript yet");
        return NameOf(type);
    }

    private void AddWordUnion(Type type)
    {
        string[] words = [.. Enum.GetNames(type).Select(name => $"'{JsonNamingPolicy.KebabCaseLower.ConvertName(name)}'")];
        string line = $"export type {type.Name} = {string.Join(" | ", words)};\n";
        _text.Append(line.Length <= LineLength ? line : $"export type {type.Name} =\n{string.Join('\n', words.Select(word => $"  | {word}"))};\n");
    }

    private void Comment(string indent, string? text)
    {
        if (text is { Length: > 0 })
            _text.Append(CultureInfo.InvariantCulture, $"{indent}/** {text} */\n");
    }

    private string? Summary(string id) => _docs.TryGetValue(id.Replace('+', '.'), out XElement? member) && member.Element("summary") is { } summary ? Plain(summary) : null;

    private string? Parameter(Type type, string name) => _docs.TryGetValue($"T:{type.FullName}", out XElement? member)
        && member.Elements("param").FirstOrDefault(param => param.Attribute("name")?.Value == name) is { } param ? Plain(param) : null;

    private static string Plain(XElement element)
    {
        string Words(XNode node) => node switch
        {
            XText text => text.Value,
            XElement { Name.LocalName: "c" } code => $"`{code.Value}`",
            XElement { Name.LocalName: "see" or "paramref" } see => (see.Attribute("cref") ?? see.Attribute("name"))!.Value.Split('.')[^1],
            XElement other => other.Value,
            _ => "",
        };
        return Spaces().Replace(string.Concat(element.Nodes().Select(Words)), " ").Trim();
    }

    [GeneratedRegex(@"\s+")]
    private static partial Regex Spaces();
}
