namespace Microsoft.Diagnostics.DebugServices;

/// <summary>The console. Its methods that write are not the same in all hosts, so none stands here.</summary>
public interface IConsoleService
{
    bool SupportsDml { get; }

    int WindowWidth { get; }

    CancellationToken CancellationToken { get; set; }
}

/// <summary>The dump or process that is looked at.</summary>
public interface ITarget
{
    bool IsDump { get; }
}

/// <summary>A .NET runtime that the host found; whether it can read it is another matter. Its members are not the same in all hosts.</summary>
public interface IRuntime;

/// <summary>Asks the host for a service.</summary>
[AttributeUsage(AttributeTargets.Parameter | AttributeTargets.Field | AttributeTargets.Property | AttributeTargets.Method)]
public class ServiceImportAttribute : Attribute
{
    public bool Optional
    {
        get => throw null;
        set => throw null;
    }
}

/// <summary>Offers a class as a service.</summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Method)]
public class ServiceExportAttribute : Attribute
{
    public ServiceScope Scope
    {
        get => throw null;
        set => throw null;
    }
}

/// <summary>How long an instance of a service lives. The values are the same in all hosts.</summary>
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
