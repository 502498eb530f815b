namespace Scenarios.Support;

/// <summary>Marks a static class with a <c>public static Task Run(Trail t)</c> as a scenario; its name is the class's.</summary>
[AttributeUsage(AttributeTargets.Class)]
public sealed class ScenarioAttribute(string mustSee) : Attribute
{
    /// <summary>What the user of the tool must see.</summary>
    public string MustSee { get; } = mustSee;
}
