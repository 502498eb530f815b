using System.Reflection;

namespace Sos.Host;

/// <summary>Services by their types, found and given as the hosts do it: by reflection.</summary>
internal sealed class Services(Assembly contracts)
{
    private readonly Dictionary<Type, object> _known = [];
    private readonly HashSet<Type> _exported = [];

    public void Add(Type type, object service) => _known[type] = service;

    /// <summary>Notes the classes of an extension that offer themselves as services.</summary>
    public void Register(Type type)
    {
        if (Attribute(type, "ServiceExportAttribute") is not null)
            _exported.Add(type);
    }

    public object? Find(Type type)
    {
        // Those that are exported here belong to a runtime.
        if (_known.TryGetValue(type, out object? service) || !_exported.Contains(type) || !_known.Keys.Any(known => known.Name == "IRuntime"))
            return service;
        return _known[type] = Create(type);
    }

    public object Create(Type type)
    {
        ConstructorInfo constructor = type.GetConstructors().Single();
        return constructor.Invoke([.. constructor.GetParameters().Select(Argument)]);
    }

    private object? Argument(ParameterInfo parameter)
    {
        Attribute? import = System.Attribute.GetCustomAttribute(parameter, contracts.GetType("Microsoft.Diagnostics.DebugServices.ServiceImportAttribute", throwOnError: true)!);
        bool isOptional = import is not null && (bool)import.GetType().GetProperty("Optional")!.GetValue(import)!;
        return Find(parameter.ParameterType) ?? (isOptional ? null
            : throw new InvalidOperationException($"The {parameter.ParameterType.FullName} service is required by the {parameter.Name} parameter"));
    }

    public void Import(object instance)
    {
        foreach (PropertyInfo property in instance.GetType().GetProperties())
        {
            if (Attribute(property, "ServiceImportAttribute") is not { } import)
                continue;
            object? service = Find(property.PropertyType);
            if (service is null && !(bool)import.GetType().GetProperty("Optional")!.GetValue(import)!)
                throw new InvalidOperationException($"there is no service {property.PropertyType.Name}");
            property.SetValue(instance, service);
        }
    }

    public Attribute? Attribute(MemberInfo member, string name)
        => System.Attribute.GetCustomAttribute(member, contracts.GetType("Microsoft.Diagnostics.DebugServices." + name, throwOnError: true)!, inherit: true);
}
