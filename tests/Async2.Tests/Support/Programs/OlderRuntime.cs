namespace Async2.Tests.Support.Programs;

/// <summary>
/// The runtime that this test process looks at, where that is not the installed one: each version's DAC gets a process of its own, as
/// with the tool. Two in one process end it with a signal.
/// </summary>
internal static class OlderRuntime
{
    public const string Variable = "ASYNC2_TEST_FRAMEWORK";

    /// <summary><c>net8.0</c>; null in the process that runs all tests.</summary>
    public static string? Framework { get; } = Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } name ? name : null;

    public static bool HasLock => Framework != "net8.0";

    public static bool HasWhenEach => Framework != "net8.0";

    /// <summary>Scenarios.Classic on that runtime, or on the installed one.</summary>
    public static ScenarioBuild Classic => Framework is { } name ? ScenarioBuild.ClassicOn(name) : ScenarioBuild.Classic;
}
