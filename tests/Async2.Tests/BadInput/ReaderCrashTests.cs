using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Text.Json;
using Async2.Analysis.Model;
using Async2.Analysis.Targets.Memory;
using Async2.Tests.Support;
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

    // CrashRetry.Limit of the tool.
    private const int CrashRetryLimit = 4;

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

    [Fact]
    public void When_each_worker_of_the_doctor_crashes_it_ends_and_reports_it()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Release, ManyChains);
        Process tool = ToolRun.Start("doctor", process.Pid.ToString());
        var crashed = new HashSet<int>();
        for (int i = 0; i < CrashRetryLimit; i++)
            crashed.Add(Crash(() => ProcessFacts.Children(tool.Id).Except(crashed)));
        IsReported(process, ToolRun.Finish(tool));
    }

    // A library that crashes as soon as it is called: "layout show" needs the real one for a moment only, less than it takes to change its code.
    [Theory]
    [InlineData("analyze")]
    [InlineData("layout", "show")]
    public void When_each_worker_crashes_the_tool_ends_and_reports_it(params string[] command)
    {
        using var folder = new TemporaryFolder();
        string library = CompiledLibrary.Make(folder, "crash", "int CLRDataCreateInstance(void) { return *(volatile int *)0; }");
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Release, ScenarioDump.Scenarios);
        IsReported(process, ToolRun.Of([.. command, process.Pid.ToString(), "--dac", library]));
    }

    /// <summary>A library that crashes when the process that has loaded it ends: the answer is there by then, once.</summary>
    [Theory]
    [InlineData("analyze")]
    [InlineData("layout", "show")]
    public void A_crash_after_the_answer_changes_nothing(params string[] command)
    {
        using var folder = new TemporaryFolder();
        string library = CompiledLibrary.MakeDac(folder, "crash", "__attribute__((destructor)) static void end(void) { *(volatile int *)0 = 1; }");
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Release, ScenarioDump.Scenarios);
        string[] words = [.. command, process.Pid.ToString(), "--format", "json"];
        string usual = Outcome.Json(ToolRun.Of(words), 0).GetProperty("schema").GetString()!;
        Assert.Equal(usual, Outcome.Json(ToolRun.Of([.. words, "--dac", library]), 0).GetProperty("schema").GetString());
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
        for (int i = 0; i < CrashRetryLimit; i++)
            crashed.Add(Crash(() => ProcessFacts.Children(client.Process!.Id).Except(crashed)));
        (string text, bool isForUser) = client.Error(attach);
        Assert.Contains($"Process {process.Pid} could not be read: the runtime's data access library crashed on it (signal 11)", text, StringComparison.Ordinal);
        Assert.Contains($"it was tried {CrashRetryLimit} times", text, StringComparison.OrdinalIgnoreCase);
        Assert.True(isForUser);
        client.Event("terminated");
        client.Disconnect();
        Assert.Equal(3, client.Process!.ExitCode);
    }

    private static void IsReported(ScenarioProcess process, ToolRun run)
    {
        Outcome.IsRefusal(run, 3, $"Process {process.Pid} could not be read: the runtime's data access library crashed on it (signal 11); it may have changed or ended meanwhile", $"it was tried {CrashRetryLimit} times: try again");
        ProcessFacts.WaitUntil(() => ProcessFacts.Status(process.Pid, "TracerPid") == "0", "the process runs on");
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
