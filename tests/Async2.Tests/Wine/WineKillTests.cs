using System.Diagnostics;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Wine;

/// <summary>The tool is killed in every phase of its work: the process at which it looks goes on, and nothing of the tool is left.</summary>
[Trait("Category", "Wine")]
public sealed class WineKillTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(2);

    /// <summary>Each way of reading is killed at moments that are spread over the time that it takes when nobody kills it: before the process is held, meanwhile, and after.</summary>
    [Fact]
    public void A_program_goes_on_when_the_tool_is_killed()
    {
        using var folder = new TemporaryFolder();
        using WineProgram program = WineProgram.Start(ScenarioBuild.Situations.Assembly, ["healthy"]);
        long start = Stopwatch.GetTimestamp();
        ToolRun run = WineMachine.Run(program.Pid, "--freeze", "full");
        TimeSpan usual = Stopwatch.GetElapsedTime(start);
        Assert.Matches(@"process \d+, \.NET 10\.0\.\d+, windows x64, runtime-async, frozen for [\d.,]+ ms\n", run.Output);
        foreach (double share in (double[])[0.1, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9])
            KillAt(program, usual * share, isWorker: false, program.Pid, "--freeze", "full");
        foreach (double share in (double[])[0.4, 0.6, 0.8])
            KillAt(program, usual * share, isWorker: false, program.Pid, "--freeze", "brief");
        KillAt(program, usual * 0.6, isWorker: false, program.Pid, "--freeze", "none");
        foreach (double share in (double[])[0.4, 0.6, 0.8])
            KillAt(program, usual * share, isWorker: false, "dump", "collect", program.Pid, "--force", "-o", WineMachine.NameOf(folder.PathOf("half.dmp")));
        foreach (double share in (double[])[0.5, 0.7])
            KillAt(program, usual * share, isWorker: true, program.Pid, "--freeze", "full");
    }

    private static void KillAt(WineProgram program, TimeSpan moment, bool isWorker, params string[] words)
    {
        using Process tool = WineMachine.StartTool(words);
        Task<string> output = tool.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken), error = tool.StandardError.ReadToEndAsync(TestContext.Current.CancellationToken);
        // Where it is then depends on the machine; that the program goes on does not.
        tool.WaitForExit(moment);
        if (!isWorker)
            tool.Kill();
        else
            Workers(program, tool).ForEach(WineProcesses.Kill);
        Assert.True(program.Ask("steps") is not null, $"it does not go on: {string.Join(' ', words)}, killed after {moment.TotalMilliseconds:F0} ms");
        long start = Stopwatch.GetTimestamp();
        while (!tool.HasExited || Workers(program, tool).Count > 0)
        {
            Assert.True(Stopwatch.GetElapsedTime(start) < Limit, "the tool or its worker lives on");
            Thread.Sleep(50);
        }
        _ = (output, error);
    }

    // The other processes of the tool that look at this program.
    private static List<int> Workers(WineProgram program, Process tool) => [.. WineProcesses.Tools(program.Pid).Where(pid => pid != tool.Id)];
}
