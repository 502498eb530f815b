using System.Reflection;
using System.Xml.Linq;
using Async2.Analysis;

namespace Async2.Tests.Library;

/// <summary>Users of the library read the doc comments in their editor.</summary>
public sealed class DocumentationTests
{
    private const BindingFlags Declared = BindingFlags.Public | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    [Fact]
    public void Each_public_type_and_member_is_explained() => Assert.Empty(Unexplained(typeof(Analyzer).Assembly));

    [Fact]
    public void Undocumented_members_are_found() => Assert.Contains($"{typeof(DocumentationTests).FullName}.{nameof(Undocumented_members_are_found)}", Unexplained(typeof(DocumentationTests).Assembly));

    private static IEnumerable<string> Unexplained(Assembly assembly)
    {
        var docs = XDocument.Load(Path.ChangeExtension(assembly.Location, ".xml")).Descendants("member").GroupBy(member => Plain(member.Attribute("name")!.Value))
            .ToDictionary(same => same.Key, same => same.First());
        foreach (Type type in assembly.GetTypes().Where(type => type.IsVisible))
        {
            string name = type.FullName!.Replace('+', '.');
            docs.TryGetValue("T:" + name, out XElement? ofType);
            if (ofType is null)
                yield return name;
            HashSet<string> parameters = [.. ofType?.Elements("param").Select(param => param.Attribute("name")!.Value) ?? []];
            foreach (string member in Members(type).Where(member => !docs.ContainsKey($"{member[..2]}{name}.{member[2..]}") && !parameters.Contains(member[2..])))
                yield return $"{name}.{member[2..]}";
        }
    }

    // Accessors, and what the compiler makes for records, are not written by anybody; overrides are explained where they come from.
    private static IEnumerable<string> Members(Type type)
    {
        foreach (FieldInfo field in type.GetFields(Declared).Where(field => !field.IsSpecialName))
            yield return "F:" + field.Name;
        foreach (PropertyInfo property in type.GetProperties(Declared).Where(property => !IsInherited(property.GetMethod)))
            yield return "P:" + property.Name;
        foreach (MethodInfo method in type.GetMethods(Declared))
        {
            if (!method.IsSpecialName && !method.IsDefined(typeof(System.Runtime.CompilerServices.CompilerGeneratedAttribute)) && !IsInherited(method) && !type.IsSubclassOf(typeof(Delegate)))
                yield return "M:" + method.Name;
        }
    }

    private static bool IsInherited(MethodInfo? method) => method is not null
        && (method.GetBaseDefinition().DeclaringType != method.DeclaringType || method.DeclaringType is { IsInterface: false } type && type.GetInterfaces().Any(one => type.GetInterfaceMap(one).TargetMethods.Contains(method)));

    // Without parameters and arity: one comment for a name is enough.
    private static string Plain(string id) => id.Split('(')[0] is var name && name.StartsWith("M:", StringComparison.Ordinal) ? name.Split("``")[0] : name;
}
