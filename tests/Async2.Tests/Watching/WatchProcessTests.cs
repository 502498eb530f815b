using System.Diagnostics;
using System.Globalization;
using Async2.Analysis;
using Async2.Analysis.Query;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Watching;

/// <summary>The command with programs that move and that hang: what it says, what it saves, how it ends, and that a process pays little for it.</summary>
[Trait("Category", "Integration")]
public sealed class WatchProcessTests(ITestOutputHelper output) : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public static TheoryData<bool> Builds => [false, true];

    [Theory]
    [MemberData(nameof(Builds))]
    public void A_deadlock_is_printed_and_saved_once(bool isClassic)
    {
        using ScenarioProcess process = Start(isClassic, "abba");
        ToolRun run = ToolRun.Of("watch", $"{process.Pid}", "--count", "4", "--interval", "300ms", "--on-finding", "deadlock", "--save", _folder.Path);
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.Equal(4, Lines(run).Count(IsLook));
        Assert.Contains("deadlock (certain)", Lines(run)[0], StringComparison.Ordinal);
        Assert.Single(Lines(run), line => line.StartsWith("  error: deadlock  Jams.", StringComparison.Ordinal));
        Assert.Matches(@"still; held up for [0-9.]+ m?s; deadlock \(certain\)", Lines(run).Last(IsLook));
        string file = Assert.Single(Directory.GetFiles(_folder.Path));
        Assert.Contains($"saved {file}: deadlock: Jams.", run.Output, StringComparison.Ordinal);
        StackView saved = SnapshotFile.Read(file).Ask(new AnalysisOptions(), TestContext.Current.CancellationToken);
        Assert.Equal("deadlock", saved.Findings[0].Rule);
        if (!OperatingSystem.IsWindows())
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(file));
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void Who_is_stuck_is_saved_and_who_takes_turns_is_not(bool isClassic)
    {
        using ScenarioProcess stuck = Start(isClassic, "stalledPair"), turns = Start(isClassic, "stalledTurns");
        Assert.Contains("_incident.async2snap: stuck for ", Watch(stuck).Output, StringComparison.Ordinal);
        Assert.DoesNotContain("saved", Watch(turns).Output, StringComparison.Ordinal);

        ToolRun Watch(ScenarioProcess process) => ToolRun.Of("watch", $"{process.Pid}", "--count", "8", "--interval", "250ms", "--on-stuck", "1s", "--save", _folder.Path);
    }

    [Fact]
    public void What_moves_between_two_looks_is_counted()
    {
        using ScenarioProcess process = Start(isClassic: false, "changing");
        using Process watch = ToolRun.Start("watch", $"{process.Pid}", "--interval", "100ms");
        string line = watch.StandardOutput.ReadLine()!;
        Assert.EndsWith("  200 stacks", line, StringComparison.Ordinal);
        // 200 are shown: 120 stay, 40 go on, 40 end, 20 begin.
        double number = process.Ask("change");
        (long moved, long begun, long gone) = (0, 0, 0);
        for (int i = 0; i < 100 && (gone < number / 5 || begun < number / 10 || gone - begun != (long)number / 10); i++)
        {
            line = watch.StandardOutput.ReadLine()!;
            (moved, begun, gone) = (moved + Count(line, "moved"), begun + Count(line, "new"), gone + Count(line, "gone"));
        }
        output.WriteLine(line);
        using (Process program = Process.GetProcessById(process.Pid))
            program.Kill();
        string rest = watch.StandardOutput.ReadToEnd();
        watch.WaitForExit();
        // Who goes on is seen on its way, too; between two methods it may look like another operation.
        Assert.Equal((long)number / 10, gone - begun);
        Assert.InRange(begun, (long)number / 10, (long)number / 5);
        Assert.InRange(moved, (long)number / 5, (long)number);
        Assert.Contains($"  process {process.Pid} has ended, after ", rest, StringComparison.Ordinal);
        Assert.Equal(0, watch.ExitCode);
    }

    [Fact]
    public void Filters_choose_the_stacks_and_findings_stay()
    {
        using ScenarioProcess process = Start(isClassic: false, "moving");
        ToolRun run = ToolRun.Of("watch", $"{process.Pid}", "--count", "1", "--method", "TravelAsync");
        Assert.Matches("^[0-9TZ:-]+  1 stack; deadlock \\(certain\\)\n", run.Output);
        Assert.Equal((2, ""), Usage("watch", $"{process.Pid}", "--group-by", "method"));
        Assert.Equal((2, ""), Usage("watch", $"{process.Pid}", "--on-finding", "nonsense"));
        Assert.Equal((2, ""), Usage("watch", $"{process.Pid}", "--on-stuck", "soon"));
        Assert.Equal((2, ""), Usage("watch", ToolRun.Program));
        Assert.Equal((3, ""), Usage("watch", "999999999"));
    }

    [Fact]
    public void A_signal_ends_it_in_order()
    {
        using ScenarioProcess process = Start(isClassic: false, "abba");
        ToolRun run = ToolRun.Shell($"$TOOL watch {process.Pid} --interval 200ms > {_folder.Path}/looks & t=$!; {Until("deadlock", $"{_folder.Path}/looks")}; kill -TERM $t; wait $t; echo exit $?");
        Assert.Equal("exit 0\n", run.Output);
        Assert.False(IsStopped(process.Pid));
    }

    [Fact]
    public void In_a_terminal_keys_work_and_it_is_left_as_it_was()
    {
        using ScenarioProcess process = Start(isClassic: false, "abba");
        // Opens the stack, goes back, filters, saves, and ends.
        string screen = InTerminal($"cd {_folder.Path}; $TOOL watch {process.Pid} --interval 300ms; echo exit $?; stty -a", "0 \\r 1 \\033 1 /Till 1 \\r 1 s 2 q 1");
        Assert.Contains("error: deadlock", screen, StringComparison.Ordinal);
        Assert.Contains("enter back", screen, StringComparison.Ordinal);
        Assert.Contains("/Till_", screen, StringComparison.Ordinal);
        string file = Assert.Single(Directory.GetFiles(_folder.Path));
        Assert.Equal("deadlock", SnapshotFile.Read(file).Ask(new AnalysisOptions(), TestContext.Current.CancellationToken).Findings[0].Rule);
        // The other screen, and the cursor.
        Assert.Contains("\u001b[?1049h", screen, StringComparison.Ordinal);
        string end = screen[screen.LastIndexOf("\u001b[?1049l", StringComparison.Ordinal)..];
        Assert.Contains($"saved ./{Path.GetFileName(file)}", end, StringComparison.Ordinal);
        Assert.Contains("exit 0", end, StringComparison.Ordinal);
        Assert.True(screen.LastIndexOf("\u001b[?25h", StringComparison.Ordinal) > screen.LastIndexOf("\u001b[?25l", StringComparison.Ordinal));
        Assert.Matches(@"\sicanon\b", end);
        Assert.Matches(@"\secho\b", end);
    }

    [Fact]
    public void A_terminal_can_be_poor()
    {
        using ScenarioProcess process = Start(isClassic: false, "abba");
        string dumb = InTerminal($"TERM=dumb $TOOL watch {process.Pid} --count 1", "0");
        Assert.DoesNotContain("\u001b[?1049h", dumb, StringComparison.Ordinal);
        Assert.Contains("  2 stacks; deadlock (certain)", dumb, StringComparison.Ordinal);
        string plain = InTerminal($"$TOOL watch {process.Pid} --count 2 --interval 1s --ascii --no-color", "0");
        Assert.DoesNotMatch("\u001b\\[[0-9;]*3[0-7]m", plain);
        Assert.Contains("q quit", plain, StringComparison.Ordinal);
        Assert.True(plain.All(char.IsAscii));
    }

    [Fact]
    public void Many_looks_do_not_grow()
    {
        int looks = LongRuns.Of(15, 1000), warm = looks / 3;
        using ScenarioProcess process = Start(isClassic: false, "abba");
        using Process watch = ToolRun.Start("watch", $"{process.Pid}", "--interval", "50ms", "--count", $"{looks}");
        long early = 0, late = 0;
        for (int i = 0; watch.StandardOutput.ReadLine() is { } line;)
        {
            if (!IsLook(line))
                continue;
            long memory = MemoryOf(watch.Id);
            if (i++ < warm)
                early = Math.Max(early, memory);
            else
                late = Math.Max(late, memory);
        }
        watch.WaitForExit();
        output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{looks} looks: {early >> 10} MB in the first third, {late >> 10} MB later"));
        Assert.Equal(0, watch.ExitCode);
        // In 1,000 looks a model each would be more than this.
        if (looks >= 1000)
            Assert.InRange(late, 0, early + (60 << 10));
    }

    public void Dispose() => _folder.Dispose();

    private static ScenarioProcess Start(bool isClassic, string situation) => ScenarioProcess.Start(isClassic ? ScenarioBuild.SituationsClassic : ScenarioBuild.Situations, [situation]);

    private static string[] Lines(ToolRun run) => Lines(run.Output);

    private static string[] Lines(string text) => text.Split('\n', StringSplitOptions.RemoveEmptyEntries);

    private static bool IsLook(string line) => !line.StartsWith(' ');

    private static long Count(string line, string word)
        => line.Split([':', ',', ';']).Select(part => part.Trim().Split(' ')).Where(part => part is [_, var last] && last == word).Sum(part => long.Parse(part[0], CultureInfo.InvariantCulture));

    private static (int ExitCode, string Output) Usage(params string[] arguments)
    {
        ToolRun run = ToolRun.Of(arguments);
        Assert.Matches("(?s)^error: .*fix: ", run.Error);
        return (run.ExitCode, run.Output);
    }

    // On a busy machine everything takes longer.
    private static string Until(string text, string file) => $"for i in $(seq 300); do grep -q '{text}' {file} 2> /dev/null && break; sleep 0.1; done";

    // What is typed, after so many seconds each, once the first look is on the screen.
    private static string InTerminal(string line, string keys)
    {
        Assert.SkipUnless(File.Exists("/usr/bin/script"), "needs script(1) for a terminal");
        string[] words = keys.Split(' ');
        string typed = string.Join("; ", words.Chunk(2).Select(pair => $"sleep {pair[0]}" + (pair.Length > 1 ? $"; printf '{pair[1]}'" : "")));
        string file = Path.GetTempFileName();
        try
        {
            File.WriteAllText(file, "stty cols 100 rows 30\n" + line.Replace("$TOOL", ToolRun.InShell, StringComparison.Ordinal));
            return ToolRun.Shell($"({Until("deadlock", file + ".screen")}; {typed}) | TERM=xterm-256color script -qefc 'sh {file}' {file}.screen").Output;
        }
        finally
        {
            File.Delete(file);
            File.Delete(file + ".screen");
        }
    }

    private static bool IsStopped(int pid) => File.ReadAllLines($"/proc/{pid}/status").First(line => line.StartsWith("State:", StringComparison.Ordinal)).Contains("\tT", StringComparison.Ordinal);

    // Of the tool and of the process that reads for it, in KB.
    private static long MemoryOf(int pid)
        => Resident(pid) + (File.Exists($"/proc/{pid}/task/{pid}/children") ? File.ReadAllText($"/proc/{pid}/task/{pid}/children").Split(' ', StringSplitOptions.RemoveEmptyEntries).Sum(child => Resident(int.Parse(child, CultureInfo.InvariantCulture))) : 0);

    private static long Resident(int pid)
    {
        try
        {
            return File.ReadLines($"/proc/{pid}/status").Where(line => line.StartsWith("VmRSS:", StringComparison.Ordinal)).Sum(line => long.Parse(line.AsSpan(6).Trim().TrimEnd("kB"), NumberStyles.AllowTrailingWhite, CultureInfo.InvariantCulture));
        }
        catch (IOException)
        {
            return 0;
        }
    }
}
