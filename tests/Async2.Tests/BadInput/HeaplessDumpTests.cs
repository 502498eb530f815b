using Async2.Tests.Support;
using Async2.Tests.Support.Programs;
using Microsoft.Diagnostics.NETCore.Client;

namespace Async2.Tests.BadInput;

/// <summary>Small dumps: they hold threads and modules, and no heap, where all stacks are.</summary>
[Trait("Category", "Integration")]
public sealed class HeaplessDumpTests
{
    [Fact]
    public void Small_dumps_are_distinguished_from_programs_without_stacks()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Release, ScenarioDump.Scenarios);
        using var folder = new TemporaryFolder();
        foreach (DumpType type in (DumpType[])[DumpType.Normal, DumpType.Triage])
        {
            string path = folder.PathOf(type + ".dmp");
            new DiagnosticsClient(process.Pid).WriteDump(type, path);
            ToolRun run = ToolRun.Of(path);
            Assert.Equal((4, ""), (run.ExitCode, run.Error));
            Assert.StartsWith("no async stacks found, but the answer is partial\n", run.Output, StringComparison.Ordinal);
            Assert.Matches(@"A2D3004  the target has no heap .*: write a full dump with dotnet-async2 dump collect PID\n", run.Output);
        }
    }
}
