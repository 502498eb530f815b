using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text;

namespace Async2.Tests.Library;

/// <summary>The public surface of an assembly as text, a line for each member: what others build against.</summary>
internal static class PublicApi
{
    private const BindingFlags Declared = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    // Members that the compiler makes for a record say nothing that its properties do not say.
    private static readonly string[] OfRecords = ["Equals", "GetHashCode", "ToString", "Deconstruct", "<Clone>$", "PrintMembers", "op_Equality", "op_Inequality", "EqualityContract"];

    /// <summary>All types and their members, in order of their names.</summary>
    public static string Of(Assembly assembly) => Of(assembly.GetTypes().Where(type => type.IsVisible));

    /// <summary>Those of some types.</summary>
    public static string Of(IEnumerable<Type> types)
    {
        var text = new StringBuilder();
        foreach (Type type in types.OrderBy(type => type.FullName, StringComparer.Ordinal))
        {
            text.Append(text.Length > 0 ? "\n" : "").Append($"{Kind(type)} {type.Namespace}.{Name(type)}{Bases(type)}\n");
            foreach (string member in Members(type).Order(StringComparer.Ordinal))
                text.Append("    ").Append(member).Append('\n');
        }
        return text.ToString();
    }

    private static IEnumerable<string> Members(Type type)
    {
        if (type.IsEnum)
            return type.GetFields(BindingFlags.Public | BindingFlags.Static).Select(field => $"{field.Name} = {Convert.ToInt64(field.GetRawConstantValue())}");
        if (type.IsSubclassOf(typeof(Delegate)))
            return [Signature(type.GetMethod("Invoke")!)];
        bool isRecord = type.GetMethod("<Clone>$") is not null || type.GetMethod("PrintMembers", Declared) is not null;
        return [
            .. type.GetConstructors(Declared).Where(IsOpen).Where(constructor => !IsCopy(constructor, type)).Select(constructor => $"new({Parameters(constructor)})"),
            .. type.GetFields(Declared).Where(field => field.IsPublic).Select(field => $"{(field.IsLiteral ? "const " : field.IsStatic ? "static " : "")}{Name(field.FieldType)} {field.Name}"),
            .. type.GetProperties(Declared).Where(property => IsOpen(property.GetMethod) && !(isRecord && OfRecords.Contains(property.Name))).Select(Property),
            .. type.GetEvents(Declared).Where(one => IsOpen(one.AddMethod)).Select(one => $"event {Name(one.EventHandlerType!)} {one.Name}"),
            .. type.GetMethods(Declared).Where(method => IsOpen(method) && !IsAccessor(method) && !(isRecord && OfRecords.Contains(method.Name))).Select(Signature),
        ];
    }

    private static bool IsOpen(MethodBase? method) => method is not null && (method.IsPublic || method.IsFamily || method.IsFamilyOrAssembly);

    private static bool IsCopy(ConstructorInfo constructor, Type type) => constructor is { IsPublic: false } && constructor.GetParameters() is [{ ParameterType: var only }] && only == type;

    private static bool IsAccessor(MethodInfo method) => method.IsSpecialName && !method.Name.StartsWith("op_", StringComparison.Ordinal);

    private static string Kind(Type type) => type switch
    {
        { IsEnum: true } => "enum",
        { IsInterface: true } => "interface",
        { IsValueType: true } => "struct",
        _ when type.IsSubclassOf(typeof(Delegate)) => "delegate",
        { IsAbstract: true, IsSealed: true } => "static class",
        { IsAbstract: true } => "abstract class",
        { IsSealed: true } => "sealed class",
        _ => "class",
    };

    private static string Bases(Type type)
    {
        if (type.IsEnum || type.IsSubclassOf(typeof(Delegate)))
            return "";
        IEnumerable<Type> inherited = type.BaseType?.GetInterfaces() ?? [];
        string[] names =
        [
            .. type.BaseType is { } parent && parent != typeof(object) && parent != typeof(ValueType) ? [Name(parent)] : (string[])[],
            .. type.GetInterfaces().Where(one => one.IsVisible && !one.Name.StartsWith("IEquatable", StringComparison.Ordinal)).Except(inherited).Select(Name).Order(StringComparer.Ordinal),
        ];
        return names.Length == 0 ? "" : " : " + string.Join(", ", names);
    }

    private static string Property(PropertyInfo property)
    {
        string set = !IsOpen(property.SetMethod) ? "" : property.SetMethod!.ReturnParameter.GetRequiredCustomModifiers().Contains(typeof(IsExternalInit)) ? " init;" : " set;";
        string name = property.GetIndexParameters() is { Length: > 0 } index ? $"this[{string.Join(", ", index.Select(Parameter))}]" : property.Name;
        string required = property.IsDefined(typeof(RequiredMemberAttribute)) ? "required " : "";
        return $"{Modifiers(property.GetMethod!)}{required}{Nullable(Name(property.PropertyType), new NullabilityInfoContext().Create(property).ReadState)} {name} {{ get;{set} }}";
    }

    private static string Signature(MethodInfo method)
        => $"{Modifiers(method)}{Nullable(Name(method.ReturnType), new NullabilityInfoContext().Create(method.ReturnParameter).ReadState)} {method.Name}{Arguments(method.IsGenericMethod ? method.GetGenericArguments() : [])}({Parameters(method)})";

    private static string Modifiers(MethodInfo method) => (method.IsFamily || method.IsFamilyOrAssembly ? "protected " : "")
        + (method.IsStatic ? "static " : method.IsAbstract && method.DeclaringType is { IsInterface: false } ? "abstract " : method.GetBaseDefinition() != method ? "override " : method is { IsVirtual: true, IsFinal: false, DeclaringType.IsInterface: false } ? "virtual " : "");

    private static string Parameters(MethodBase method) => string.Join(", ", method.GetParameters().Select(Parameter));

    private static string Parameter(ParameterInfo parameter)
        => $"{(parameter.IsOut ? "out " : parameter.IsIn ? "in " : parameter.ParameterType.IsByRef ? "ref " : "")}{Nullable(Name(parameter.ParameterType), new NullabilityInfoContext().Create(parameter).ReadState)} {parameter.Name}{(parameter.HasDefaultValue ? " = " + Text(parameter.DefaultValue) : "")}";

    private static string Text(object? value) => value switch { null => "default", string text => $"\"{text}\"", bool truth => truth ? "true" : "false", _ => Convert.ToString(value, System.Globalization.CultureInfo.InvariantCulture)! };

    private static string Nullable(string name, NullabilityState state) => state == NullabilityState.Nullable && !name.EndsWith('?') ? name + "?" : name;

    private static string Name(Type type)
    {
        if (type.IsByRef)
            return Name(type.GetElementType()!);
        if (type.IsArray)
            return Name(type.GetElementType()!) + "[]";
        if (System.Nullable.GetUnderlyingType(type) is { } inner)
            return Name(inner) + "?";
        string outer = type is { IsNested: true, IsGenericParameter: false } ? Name(type.DeclaringType!) + "." : "";
        return outer + type.Name.Split('`')[0] + Arguments(type.IsGenericType ? type.GetGenericArguments() : []);
    }

    private static string Arguments(Type[] types) => types.Length == 0 ? "" : $"<{string.Join(", ", types.Select(Name))}>";
}
