using Async2.Analysis.Targets.Contract;
using Async2.Dump.Cli;
using Async2.Dump.Workers;

namespace Async2.Tests.Tool;

/// <summary>What is said when the process that reads a target dies.</summary>
public sealed class SupervisorTests
{
    [Theory]
    [InlineData("/tmp/a.dmp", 139, "'/tmp/a.dmp' could not be read: the runtime's data access library crashed on it (signal 11), so the dump is probably damaged.", "copy the whole dump again")]
    [InlineData("/tmp/a.dmp", 134, "(signal 6)", "dotnet-async2 dump collect PID")]
    [InlineData("/tmp/a.dmp", 77, "crashed on it, so", "--dac")]
    [InlineData("/tmp/a.dmp", 135, "'/tmp/a.dmp' could not be read completely: the file was truncated or its disk failed while it was read.", "copy the whole dump again")]
    [InlineData("42", 139, "Process 42 could not be read: the runtime's data access library crashed on it (signal 11); it may have changed or ended meanwhile.", "dotnet-async2 dump collect 42")]
    [InlineData("42", 137, "Process 42 could not be read: the worker process was killed, probably because this machine has too little memory.", "on a bigger machine")]
    public void A_crash_message_names_the_target(string target, int exitCode, string message, string fix)
    {
        TargetException crashed = WorkerFailure.Crashed(target, new WorkerExit(exitCode), tries: 2);
        Assert.Contains(message, crashed.Message, StringComparison.Ordinal);
        Assert.Contains(fix, crashed.Fix, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(true, "42")]
    [InlineData(true, "analyze", "--format", "json", "42")]
    [InlineData(true, "dump", "analyze", "/tmp/a.dmp")]
    [InlineData(true, "doctor", "42", "--no-color")]
    [InlineData(false)]
    [InlineData(false, "--quiet")]
    [InlineData(false, "ps", "--format", "json")]
    [InlineData(false, "demo")]
    [InlineData(false, "dap", "--verbose")]
    [InlineData(false, "analyze", "42", "--help")]
    [InlineData(false, "--version")]
    [InlineData(false, "[suggest]", "an")]
    [InlineData(false, "@words.txt")]
    public void The_arguments_show_whether_a_target_is_read(bool read, params string[] words) => Assert.Equal(read, ArgumentScan.NeedsWorker(words));
}
