using System.Runtime.Versioning;
using System.Text.Json;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;
using Async2.Tests.Tool;

namespace Async2.Tests.Windows;

/// <summary>Every command of the tool, once, as a user of Windows runs it: against one running sample.</summary>
[Trait("Category", "Windows")]
[Trait("System", "Windows")]
[Collection(ToolCollection.Name)]
[SupportedOSPlatform("windows")]
public sealed class CommandTests(RunningSample sample) : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    [Fact]
    public void Analyze_says_what_it_says_on_Linux()
    {
        ToolRun run = ToolRun.Of(sample.PidText);
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.StartsWith("warning: exhausted-pool  all 2 permits of `PaymentGateway._free` are held", run.Output, StringComparison.Ordinal);
        Assert.Contains("\n410 stacks suspended in 7 groups; the largest, 398x, waits for Semaphore", run.Output, StringComparison.Ordinal);
        Assert.Matches($@"\nprocess {sample.Pid}, \.NET 10\.0\.\d+, windows x64, runtime-async, frozen for [\d.]+ ms\n", run.Output);
        Assert.Contains("Demo.PaymentGateway.ChargeAsync(int, decimal)  PaymentGateway.cs:11", run.Output, StringComparison.Ordinal);
        Assert.Matches(@"\n0 problems\n$", run.Output);
    }

    [Theory]
    [InlineData("none", "not frozen")]
    [InlineData("full", "frozen for ")]
    public void Freeze_means_the_same(string mode, string expected)
    {
        ToolRun run = ToolRun.Of(sample.PidText, "--freeze", mode, "--locals");
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.Contains(expected, run.Output, StringComparison.Ordinal);
        Assert.Contains("410 stacks", run.Output, StringComparison.Ordinal);
        // A decimal is passed by a hidden reference.
        Assert.Matches(@"amount = \d+(\.\d+)?", run.Output);
    }

    [Fact]
    public void A_dump_is_written_from_outside_and_read()
    {
        string dump = _folder.PathOf("shop.dmp");
        ToolRun written = ToolRun.Of("dump", "collect", sample.PidText, "-o", dump);
        Assert.Equal((0, ""), (written.ExitCode, written.Error));
        Assert.Contains("410 stacks in it, readable to the end", written.Output, StringComparison.Ordinal);
        ToolRun again = ToolRun.Of("dump", "collect", sample.PidText, "-o", dump);
        Outcome.IsRefusal(again, 2, "exists", "--force");
        ToolRun read = ToolRun.Of("dump", "analyze", dump, "--format", "json", "--limit", "1");
        JsonElement target = Outcome.Json(read, 0).GetProperty("target");
        Assert.Equal(("dump", "windows", sample.Pid), (target.GetProperty("kind").GetString(), target.GetProperty("os").GetString(), target.GetProperty("pid").GetInt32()));
        // A snapshot of it, and no change between the two.
        string snapshot = _folder.PathOf("shop.async2snap");
        Assert.Equal(0, ToolRun.Of("snapshot", dump, "-o", snapshot).ExitCode);
        ToolRun diff = ToolRun.Of("diff", dump, snapshot);
        Assert.Equal((0, ""), (diff.ExitCode, diff.Error));
        Assert.Contains("410", diff.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Ps_lists_processes_with_their_programs()
    {
        ToolRun run = ToolRun.Of("ps", "--format", "json", sample.PidText);
        JsonElement row = Assert.Single(Outcome.Json(run, 0).GetProperty("processes").EnumerateArray());
        Assert.Equal(("Demo", 410), (row.GetProperty("name").GetString(), row.GetProperty("stacks").GetInt32()));
        Assert.Contains("Demo.dll", row.GetProperty("commandLine").GetString(), StringComparison.Ordinal);
        Assert.StartsWith("10.0.", row.GetProperty("runtime").GetString(), StringComparison.Ordinal);
        Assert.Equal(0, ToolRun.Of("ps", "demo").ExitCode);
    }

    [Fact]
    public void The_doctor_tries_what_reading_does()
    {
        ToolRun run = ToolRun.Of("doctor", sample.PidText);
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        foreach (string line in (string[])["ok    rights ", "ok    stopping ", "ok    dac ", "ok    target ", "ok    symbols "])
            Assert.Contains("\n" + line, run.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(1, "check", "PID", "--fail-on", "exhausted-pool")]
    [InlineData(0, "check", "--self-test")]
    [InlineData(0, "layout", "show", "PID")]
    [InlineData(0, "PID", "--looks", "2", "--findings-only")]
    [InlineData(0, "PID", "--format", "html", "-o", "FOLDER\\page.html")]
    [InlineData(0, "hang", "PID")]
    [InlineData(0, "demo")]
    public void Other_commands_work(int exitCode, params string[] words)
    {
        ToolRun run = ToolRun.Of([.. words.Select(word => word.Replace("PID", sample.PidText, StringComparison.Ordinal).Replace("FOLDER", _folder.Path, StringComparison.Ordinal))]);
        Assert.True(exitCode == run.ExitCode, run.Error);
        Assert.NotEqual("", run.Output + run.Error + string.Concat(Directory.GetFiles(_folder.Path)));
    }

    [Fact]
    public void Watch_looks_again_and_saves()
    {
        ToolRun run = ToolRun.Of("watch", sample.PidText, "--count", "2", "--on-finding", "exhausted-pool", "--save", _folder.PathOf("saved"));
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.NotEmpty(Directory.GetFiles(_folder.PathOf("saved"), "*.async2snap"));
    }

    [Fact]
    public void The_debug_adapter_answers()
    {
        using DapClient client = DapClient.OfTool().Stop(new { processId = sample.Pid }, "attach");
        Assert.Equal(7, client.Call("threads").GetProperty("threads").GetArrayLength());
        client.Disconnect();
        Assert.Equal(0, client.Process!.ExitCode);
    }

    [Fact]
    public void Sos_is_installed_below_the_users_folder()
    {
        string host = _folder.PathOf("host");
        Directory.CreateDirectory(host);
        File.Copy(Path.Join(AppContext.BaseDirectory, "Async2.Analysis.dll"), Path.Join(host, "Microsoft.Diagnostics.DebugServices.dll"));
        ToolRun install = ToolRun.Of("sos", "install", "--in", host, "--major", "10");
        Assert.Equal((0, ""), (install.ExitCode, install.Error));
        string plugin = Path.Join(host, "extensions", "Async2.Sos.dll");
        Assert.True(File.Exists(plugin));
        // A debugger that has it loaded: it is not replaced, and that is said.
        File.WriteAllText(plugin, "older");
        using (new FileStream(plugin, FileMode.Open, FileAccess.Read, FileShare.Read))
            Outcome.IsRefusal(ToolRun.Of("sos", "install", "--in", host, "--major", "10"), 3, "cannot be changed", "close the debuggers that have the plugin loaded");
        Assert.Equal(0, ToolRun.Of("sos", "uninstall", "--in", host).ExitCode);
        Assert.False(File.Exists(plugin));
        Assert.StartsWith("$env:DOTNET_DIAGNOSTIC_EXTENSIONS='", ToolRun.Of("sos", "path").Output, StringComparison.Ordinal);
        Assert.StartsWith("set \"DOTNET_DIAGNOSTIC_EXTENSIONS=", ToolRun.Of("sos", "path", "--shell", "cmd").Output, StringComparison.Ordinal);
    }

    [Fact]
    public void An_answer_replaces_a_file_but_not_one_that_is_open()
    {
        string file = _folder.PathOf("answer.txt");
        File.WriteAllText(file, "old");
        using (new FileStream(file, FileMode.Open, FileAccess.Read, FileShare.Read))
            Outcome.IsRefusal(ToolRun.Of(sample.PidText, "-o", file), 2, "another program has it open", "close that program, or type -o and another name");
        Assert.Equal("old", File.ReadAllText(file));
        Assert.Equal(0, ToolRun.Of(sample.PidText, "-o", file).ExitCode);
        Assert.Contains("410 stacks", File.ReadAllText(file), StringComparison.Ordinal);
        // Where a file cannot be replaced, Wine leaves one of its own, rf*.tmp (ReplaceFileW of its kernelbase).
        Assert.Equal("answer.txt", string.Join(' ', Directory.GetFiles(_folder.Path).Select(Path.GetFileName).Where(name => !name!.StartsWith("rf", StringComparison.Ordinal))));
    }

    [Theory]
    [InlineData("NUL", 0, "")]
    [InlineData(@"\\.\PhysicalDrive0", 2, "is a disk or a socket, not a file")]
    [InlineData(@"C:\no\such\folder\answer.txt", 2, @"the folder C:\no\such\folder does not exist")]
    public void Names_that_are_no_files_are_known(string name, int exitCode, string message)
    {
        ToolRun run = ToolRun.Of("check", "--self-test", "-o", name);
        Assert.Equal(exitCode, run.ExitCode);
        Assert.Contains(message, run.Error, StringComparison.Ordinal);
    }

    public void Dispose() => _folder.Dispose();
}
