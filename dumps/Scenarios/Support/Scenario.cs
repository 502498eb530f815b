using System.Reflection;

namespace Scenarios.Support;

/// <summary>One behaviour of the collection, found by reflection: adding one is adding its file.</summary>
public sealed record Scenario(string Name, string MustSee, Func<Trail, Task> Run)
{
    // MethodImplAttributes.Async, which the reference assemblies do not name yet.
    private const MethodImplAttributes Async = (MethodImplAttributes)0x2000;

    public static Scenario[] All { get; } = Find();

    /// <summary>Whether this build's async methods are the runtime's: asked of the code itself, not of the project file.</summary>
    public static bool AreRuntimeAsync { get; } = typeof(Chains)
        .GetMethod(nameof(Chains.Link), BindingFlags.Static | BindingFlags.NonPublic)!
        .MethodImplementationFlags.HasFlag(Async);

    private static Scenario[] Find() =>
    [
        .. from type in typeof(Scenario).Assembly.GetTypes()
           let mark = type.GetCustomAttribute<ScenarioAttribute>()
           where mark is not null
           orderby type.Name
           let run = type.GetMethod("Run", BindingFlags.Static | BindingFlags.Public, [typeof(Trail)])
               ?? throw new InvalidOperationException($"{type.Name} has no 'public static Task Run(Trail t)'.")
           select new Scenario(type.Name, mark.MustSee, run.CreateDelegate<Func<Trail, Task>>()),
    ];
}
