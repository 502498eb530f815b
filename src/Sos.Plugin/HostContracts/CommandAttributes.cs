namespace Microsoft.Diagnostics.DebugServices;

/// <summary>Marks a class as a command. Fields, not properties, as in the hosts.</summary>
[AttributeUsage(AttributeTargets.Class, AllowMultiple = true)]
public class CommandAttribute : Attribute
{
    public string Name;
    public string Help;
    public string[] Aliases;
    public string DefaultOptions;
}

/// <summary>Marks a property as an option of the command.</summary>
[AttributeUsage(AttributeTargets.Property)]
public class OptionAttribute : Attribute
{
    public string Name;
    public string Help;
    public string[] Aliases;
}

/// <summary>Marks a static method whose text is appended to the host's help.</summary>
[AttributeUsage(AttributeTargets.Method)]
public class HelpInvokeAttribute : Attribute;
