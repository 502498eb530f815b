using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Text.Json;
using Async2.Analysis.Model;
using Async2.Analysis.Targets.Memory;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.BadInput;

/// <summary>
/// The runtime's data access library crashes in the reader: its code there is overwritten with a write to address 0. That is the signal, the
/// moment and the place of a real crash.
/// </summary>
[Trait("Category", "Integration")]
public sealed class ReaderCrashTests
{
    private const string Library = "libmscordaccore.so";

    // Takes about a second to read.
    private static readonly string[] ManyChains = ["--chains", "20000", "--depth", "100"];

    [Fact]
    public void After_a_crash_the_process_is_read_again_and_that_is_reported()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Release, ManyChains);
        Process tool = ToolRun.Start(process.Pid.ToString(), "--format", "json");
        Crash(() => ProcessFacts.Children(tool.Id));
        JsonElement answer = Outcome.Json(ToolRun.Finish(tool), 0);
        Assert.Equal(20000, answer.GetProperty("totals").GetProperty("stacks").GetInt32());
        JsonElement again = Assert.Single(answer.GetProperty("problems").EnumerateArray(), problem => problem.GetProperty("code").GetString() == ProblemCodes.ReadAgain);
        Assert.Equal("the process was read 2 times, because of the previous attempt: the runtime's data access library crashed (signal 11)", again.GetProperty("text").GetString());
    }

    [Theory]
    [InlineData("analyze")]
    [InlineData("doctor")]
    [InlineData("layout", "show")]
    public void When_each_worker_crashes_the_tool_ends_and_reports_it(params string[] command)
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Release, ManyChains);
        Process tool = ToolRun.Start([.. command, process.Pid.ToString()]);
        var crashed = new HashSet<int>();
        for (int i = 0; i < 4; i++)
            crashed.Add(Crash(() => ProcessFacts.Children(tool.Id).Except(crashed)));
        Outcome.IsRefusal(
            ToolRun.Finish(tool), 3, $"Process {process.Pid} could not be read: the runtime's data access library crashed on it (signal 11); it may have changed or ended meanwhile", "it was tried 4 times: try again");
        ProcessFacts.WaitUntil(() => ProcessFacts.Status(process.Pid, "TracerPid") == "0", "the process runs on");
    }

    [Fact]
    public void A_list_of_processes_names_the_one_whose_worker_crashed()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Release, ManyChains);
        Process tool = ToolRun.Start("ps", process.Pid.ToString(CultureInfo.InvariantCulture), "--format", "json");
        Crash(() => ProcessFacts.Children(tool.Id).Where(reader => ProcessFacts.Words(reader).Contains(process.Pid.ToString())));
        JsonElement row = Assert.Single(Outcome.Json(ToolRun.Finish(tool), 0).GetProperty("processes").EnumerateArray(), row => row.GetProperty("pid").GetInt32() == process.Pid);
        Assert.Contains("crashed", row.GetProperty("reason").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public void A_debug_adapter_whose_worker_crashed_reads_the_process_again_and_reports_it()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Release, ManyChains);
        using DapClient client = DapClient.OfTool();
        client.Call("initialize");
        int attach = client.Send("attach", new { processId = process.Pid });
        int crashed = Crash(() => ProcessFacts.Children(client.Process!.Id));
        Assert.True(client.Answer(attach).GetProperty("success").GetBoolean());
        client.Call("configurationDone");
        client.Event("stopped");
        Assert.Single(client.Call("threads").GetProperty("threads").EnumerateArray());
        Assert.Contains($"the runtime's data access library crashed on {process.Pid} (signal 11); it is read again", client.Console, StringComparison.Ordinal);
        Assert.Single(client.Events, message => message.GetProperty("event").GetString() == "initialized");

        // A capture after the first one, too; what is said then is of that one.
        int refresh = client.Send("pause", new { threadId = 1 });
        Crash(() => ProcessFacts.Children(client.Process!.Id).Except([crashed]));
        Assert.True(client.Answer(refresh).GetProperty("success").GetBoolean());
        client.Event("async2/changed");
        client.Call("pause", new { threadId = 1 });
        Assert.Single(client.Call("threads").GetProperty("threads").EnumerateArray());
        Assert.Single(client.Events, message => message.GetProperty("event").GetString() == "initialized");
        client.Disconnect();
        Assert.Equal(0, client.Process!.ExitCode);
    }

    [Fact]
    public void A_debug_adapter_whose_workers_all_crashed_reports_it_and_ends()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Release, ManyChains);
        using DapClient client = DapClient.OfTool();
        client.Call("initialize");
        int attach = client.Send("attach", new { processId = process.Pid });
        var crashed = new HashSet<int>();
        for (int i = 0; i < 4; i++)
            crashed.Add(Crash(() => ProcessFacts.Children(client.Process!.Id).Except(crashed)));
        (string text, bool isForUser) = client.Error(attach);
        Assert.Contains($"Process {process.Pid} could not be read: the runtime's data access library crashed on it (signal 11)", text, StringComparison.Ordinal);
        Assert.Contains("it was tried 4 times", text, StringComparison.OrdinalIgnoreCase);
        Assert.True(isForUser);
        client.Event("terminated");
        client.Disconnect();
        Assert.Equal(3, client.Process!.ExitCode);
    }

    // Returns which one it was.
    private static int Crash(Func<IEnumerable<int>> readers)
    {
        Assert.SkipUnless(RuntimeInformation.ProcessArchitecture == Architecture.X64, "writes code of x64");
        int reader = 0;
        ProcessFacts.WaitUntil(() => (reader = readers().FirstOrDefault(pid => ProcessFacts.Maps(pid, Library))) != 0, "a reader reads");
        ProcessFacts.Signal(reader, "STOP");
        // Its first mapping is only the beginning of being loaded.
        if (!MemoryMapping.Of(reader).Any(IsCode))
        {
            ProcessFacts.Signal(reader, "CONT");
            ProcessFacts.WaitUntil(() => MemoryMapping.Of(reader).Any(IsCode), "the library is loaded");
            ProcessFacts.Signal(reader, "STOP");
        }
        MemoryMapping code = MemoryMapping.Of(reader).First(IsCode);
        // xor eax, eax; mov [rax], eax
        byte[] instructions = [.. Enumerable.Repeat<byte[]>([0x31, 0xC0, 0x89, 0x00], (int)code.Length / 4).SelectMany(bytes => bytes)];
        using (FileStream memory = new($"/proc/{reader}/mem", FileMode.Open, FileAccess.Write, FileShare.ReadWrite, bufferSize: 0))
        {
            memory.Seek((long)code.Start, SeekOrigin.Begin);
            memory.Write(instructions);
        }
        ProcessFacts.Signal(reader, "CONT");
        return reader;
    }

    private static bool IsCode(MemoryMapping mapping) => mapping.IsExecutable && mapping.Path.EndsWith(Library, StringComparison.Ordinal);
}
