using System.Globalization;
using System.Runtime.Versioning;
using Async2.Analysis.Targets.Dumps;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Windows;

/// <summary>Minidumps that are cut, damaged, small or of something else: an answer that says it, or a refusal of two lines; never a crash.</summary>
[Trait("Category", "Windows")]
[Trait("System", "Windows")]
[Collection(DumpCollection.Name)]
[SupportedOSPlatform("windows")]
public sealed class BadDumpTests(ScenarioDump dump)
{
    [Theory]
    [InlineData(0.99)]
    [InlineData(0.5)]
    [InlineData(0.01)]
    [InlineData(0.00001)]
    public void A_dump_that_was_cut_says_how_much_exists(double share)
    {
        string path = dump.Copy();
        long length = DumpDamage.Cut(path, share);
        ToolRun run = ToolRun.Of(path);
        Outcome.IsSane(run);
        Outcome.IsNotWhole(run);
        Assert.Contains($"the dump is truncated: it has {length.ToString("N0", CultureInfo.InvariantCulture)} of ", run.Error + run.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(1, 32, 4096)]
    [InlineData(2, 32, 65536)]
    [InlineData(3, 65536, int.MaxValue)]
    [InlineData(4, 65536, int.MaxValue)]
    public void Wrong_bytes_end_nothing(int seed, int from, int to)
    {
        string path = dump.Copy();
        DumpDamage.Scatter(path, seed, from, to);
        Outcome.IsSane(ToolRun.Of(path));
    }

    [Fact]
    public void A_dump_of_another_processor_is_named()
    {
        string path = dump.Copy();
        DumpDamage.ChangeProcessor(path);
        Outcome.IsRefusal(ToolRun.Of(path), 3, $"'{path}' is a dump of another processor: it is of arm64", "run dotnet-async2 on a machine with arm64");
    }

    /// <summary>As dotnet-dump's --type Heap and procdump -mp write it: what a process has for itself, without its code.</summary>
    [Fact]
    public void A_dump_of_the_heap_alone_is_read_or_says_what_is_missing()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Classic, ScenarioDump.Scenarios);
        using var folder = new TemporaryFolder();
        string path = folder.PathOf("heap.dmp");
        WindowsDump.Write(process.Pid, path, WindowsDump.Kind.Heap, null, CancellationToken.None);
        ToolRun run = ToolRun.Of(path);
        Outcome.IsSane(run);
        Assert.Contains("4 stacks", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Programs_and_dumps_of_machines_are_no_dumps_of_processes()
    {
        using var folder = new TemporaryFolder();
        string path = folder.PathOf("MEMORY.DMP");
        DumpDamage.WriteOfMachine(path);
        Outcome.IsRefusal(ToolRun.Of(path), 3, "is a dump of a whole Windows machine, not of a process", "dotnet-async2 dump collect PID");
        Outcome.IsRefusal(ToolRun.Of(Environment.ProcessPath!), 3, "is a program or library of Windows, not a dump", "dotnet-async2 ps");
    }

    [Theory]
    [InlineData("0", "There is no running process 0: process ids are above 0")]
    [InlineData("2147483644", "There is no running process 2147483644: no process has this id")]
    [InlineData("no-such-program", "'no-such-program' is neither a pid, nor a file, nor the name of a running .NET process")]
    [InlineData(@"C:\no\dump.dmp", @"There is no dump 'C:\no\dump.dmp'")]
    [InlineData(@"\\?\C:\no\dump.dmp", @"There is no dump '\\?\C:\no\dump.dmp'")]
    [InlineData(@"C:\windows", @"'C:\windows' is a folder, not a dump")]
    public void What_is_not_there_is_named(string target, string message) => Outcome.IsRefusal(ToolRun.Of(target), 3, message, "");

    [Fact]
    public void A_native_process_has_no_runtime()
    {
        using var native = System.Diagnostics.Process.Start(new System.Diagnostics.ProcessStartInfo("cmd", ["/c", "set /p line="]) { RedirectStandardInput = true })!;
        Outcome.IsRefusal(ToolRun.Of(native.Id.ToString(CultureInfo.InvariantCulture)), 3, "has no .NET runtime loaded: it is a native program", "dotnet-async2 ps");
    }

    /// <summary>A library that somebody else may change is not loaded, wherever a target names it; nor one of another build.</summary>
    [Fact]
    public void Another_library_than_the_right_one_is_not_taken()
    {
        string path = dump.Copy();
        DumpDamage.ChangeStamps(path);
        ToolRun run = ToolRun.Of(path, "--dac", Environment.ProcessPath!);
        Outcome.IsRefusal(run, 3, "could not be read with", "it has to be mscordaccore.dll of the target's exact build");
    }
}
