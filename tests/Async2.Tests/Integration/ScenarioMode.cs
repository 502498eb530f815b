using Async2.Tests.Support.Programs;

namespace Async2.Tests.Integration;

/// <summary>A way of compiling the scenarios that leaves other native code behind.</summary>
/// <param name="Name">For the table.</param>
/// <param name="Build">Release or Debug.</param>
/// <param name="Arguments">Of the program.</param>
/// <param name="Variables">Of the runtime.</param>
/// <param name="AtLeast">Frames of user code that are in memory in this mode, at the least: guards against an empty answer.</param>
internal sealed record ScenarioMode(string Name, ScenarioBuild Build, string[] Arguments, (string, string)[] Variables, int AtLeast)
{
    public static IReadOnlyList<ScenarioMode> All { get; } = OlderRuntime.Framework is { } framework
        ? [new($"classic, {framework}", ScenarioBuild.ClassicOn(framework), [], [], 530)]
        :
    [
        new("cold", ScenarioBuild.Release, [], [], 500),
        new("full opt", ScenarioBuild.Release, [], [("DOTNET_TieredCompilation", "0")], 400),
        new("warm", ScenarioBuild.Release, ["--warm", "60"], [], 400),
        new("debug", ScenarioBuild.Debug, [], [], 500),
        new("classic", ScenarioBuild.Classic, [], [], 540),
        new("classic debug", ScenarioBuild.ClassicDebug, [], [], 540),
    ];

    public ScenarioProcess Start() => ScenarioProcess.Start(Build, Arguments, Variables);
}
