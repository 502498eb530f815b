
namespace Async2.Tests.Support.Programs;

/// <summary>One full dump of a small scenario process, for all tests that damage copies of it.</summary>
public sealed class ScenarioDump : IDisposable
{
    /// <summary>Four stacks.</summary>
    internal static readonly string[] Scenarios = ["--only", "NestedCalls,TaskDelay"];

    private readonly TemporaryFolder _folder = new();

    public ScenarioDump()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Release, Scenarios);
        ProgramDump.Write(process.Pid, Path);
    }

    public string Path => _folder.PathOf("whole.dmp");

    /// <summary>A copy to damage; the same name each time, to take no more room.</summary>
    public string Copy()
    {
        string copy = _folder.PathOf("copy.dmp");
        File.Copy(Path, copy, overwrite: true);
        return copy;
    }

    public void Dispose() => _folder.Dispose();
}

/// <summary>Tests that damage dumps run one after another and share one dump.</summary>
[CollectionDefinition(Name)]
public sealed class DumpCollection : ICollectionFixture<ScenarioDump>
{
    public const string Name = "dumps";
}
