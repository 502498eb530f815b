namespace Microsoft.Diagnostics.DebugServices;

[AttributeUsage(AttributeTargets.Class, AllowMultiple = true)]
public class CommandAttribute : Attribute
{
    public string Name;
    public string Help;
    public string[] Aliases = [];
    public string DefaultOptions;
}

[AttributeUsage(AttributeTargets.Property)]
public class OptionAttribute : Attribute
{
    public string Name;
    public string Help;
    public string[] Aliases = [];
}

[AttributeUsage(AttributeTargets.Method)]
public class CommandInvokeAttribute : Attribute;

[AttributeUsage(AttributeTargets.Method)]
public class HelpInvokeAttribute : Attribute;

[AttributeUsage(AttributeTargets.Method)]
public class FilterInvokeAttribute : Attribute
{
    public string Message;
}

[AttributeUsage(AttributeTargets.Parameter | AttributeTargets.Field | AttributeTargets.Property | AttributeTargets.Method)]
public class ServiceImportAttribute : Attribute
{
    public bool Optional { get; set; }
}

[AttributeUsage(AttributeTargets.Class | AttributeTargets.Method)]
public class ServiceExportAttribute : Attribute
{
    public Type Type { get; set; }

    public ServiceScope Scope { get; set; }
}

public enum ServiceScope
{
    Global,
    Context,
    Target,
    Module,
    Thread,
    Runtime,
    Max,
}
