namespace Microsoft.Diagnostics.DebugServices;

/// <summary>The console. Its output methods differ between hosts, so none is declared here.</summary>
public interface IConsoleService
{
    bool SupportsDml { get; }

    int WindowWidth { get; }

    CancellationToken CancellationToken { get; set; }
}

/// <summary>The open dump or process.</summary>
public interface ITarget
{
    bool IsDump { get; }
}

/// <summary>A .NET runtime that the host found, even if it cannot read it. Its members differ between hosts.</summary>
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

/// <summary>Lifetime of a service instance. The values are the same in all hosts.</summary>
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
