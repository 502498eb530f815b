using System.Globalization;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Wine;

/// <summary>What a user of Windows may give to the tool by mistake, and dumps that are damaged or of something else: an answer that says it, or a refusal of two lines. Windows itself runs more (<c>BadDumpTests</c>).</summary>
[Trait("Category", "Wine")]
public sealed class WineBadInputTests
{
    [Fact]
    public void Damaged_dumps_are_read_or_refused_in_two_lines()
    {
        using var folder = new TemporaryFolder();
        string whole = folder.PathOf("whole.dmp"), path = folder.PathOf("copy.dmp");
        using (WineProgram program = WineProgram.Start(ScenarioBuild.Release.Assembly, ScenarioDump.Scenarios))
        {
            ToolRun written = WineMachine.Run("dump", "collect", program.Pid, "-o", WineMachine.NameOf(whole));
            Assert.True(written.ExitCode == 0, written.Error);
        }
        foreach (double share in (double[])[0.99, 0.5, 0.01, 0.00001])
        {
            File.Copy(whole, path, overwrite: true);
            long length = DumpDamage.Cut(path, share);
            ToolRun run = Analyze(path);
            Outcome.IsNotWhole(run);
            Assert.Contains($"the dump is truncated: it has {length.ToString("N0", CultureInfo.InvariantCulture)} of ", run.Error + run.Output, StringComparison.Ordinal);
        }
        foreach ((int seed, int from, int to) in ((int, int, int)[])[(1, 32, 4096), (2, 32, 65536), (3, 65536, int.MaxValue), (4, 65536, int.MaxValue)])
        {
            File.Copy(whole, path, overwrite: true);
            DumpDamage.Scatter(path, seed, from, to);
            Analyze(path);
        }
        File.Copy(whole, path, overwrite: true);
        DumpDamage.ChangeProcessor(path);
        Outcome.IsRefusal(Analyze(path), 3, "is a dump of another processor: it is of arm64", "run dotnet-async2 on a machine with arm64");
        File.Copy(whole, path, overwrite: true);
        DumpDamage.ChangeStamps(path);
        Outcome.IsRefusal(WineMachine.Run(WineMachine.NameOf(path), "--dac", WineMachine.NameOf(ScenarioBuild.Release.Assembly)), 3, "could not be read with", "it has to be mscordaccore.dll of the target's exact build");
    }

    [Fact]
    public void What_is_no_target_is_named()
    {
        using var folder = new TemporaryFolder();
        string path = folder.PathOf("MEMORY.DMP"), program = Path.ChangeExtension(ScenarioBuild.Release.Assembly, ".exe");
        DumpDamage.WriteOfMachine(path);
        (string Target, string Message, string Fix)[] targets =
        [
            (WineMachine.NameOf(path), "is a dump of a whole Windows machine, not of a process", "dotnet-async2 dump collect PID"),
            (WineMachine.NameOf(program), "is a program or library of Windows, not a dump", "dotnet-async2 ps"),
            ("0", "There is no running process 0: process ids are above 0", ""),
            ("2147483644", "There is no running process 2147483644: no process has this id", ""),
            ("no-such-program", "'no-such-program' is neither a pid, nor a file, nor the name of a running .NET process", ""),
            (@"C:\no\dump.dmp", @"There is no dump 'C:\no\dump.dmp'", ""),
            (@"\\?\C:\no\dump.dmp", @"There is no dump '\\?\C:\no\dump.dmp'", ""),
            (@"C:\windows", @"'C:\windows' is a folder, not a dump", ""),
        ];
        foreach ((string target, string message, string fix) in targets)
            Outcome.IsRefusal(WineMachine.Run(target), 3, message, fix);
        Outcome.IsRefusal(WineMachine.Run("2147483644", "--dac", @"C:\no\such.dll"), 2, @"there is no file 'C:\no\such.dll'", "the path of the target's own mscordaccore.dll");
        Assert.Contains("Data access library (mscordaccore.dll)", WineMachine.Run("analyze", "--help").Output, StringComparison.Ordinal);
    }

    private static ToolRun Analyze(string path)
    {
        ToolRun run = WineMachine.Run(WineMachine.NameOf(path));
        Outcome.IsSane(run);
        return run;
    }
}
