using System.Collections.Immutable;
using Async2.Dump.Watching;
using Async2.Tests.Support;

namespace Async2.Tests.Watching;

/// <summary>When the next look may come: what it costs others, and how busy the machine is.</summary>
public sealed class WatchPaceTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public static TheoryData<double, double, double, double, bool> Loads => new()
    {
        // A look took so long, since then so much was possible and idle, and so much time has passed.
        { 0.4, 2, 1.6, 1, true },
        // One of two processors is idle, or a fifth of one.
        { 0.4, 2, 0.9, 1, true },
        { 0.4, 4, 0.4, 2, false },
        { 0.4, 8, 0.8, 4, true },
        // Busy all the time: when it is a hundredth.
        { 0.4, 2, 0, 1, false },
        { 0.4, 2, 0.1, 1, false },
        { 0.4, 39, 0.1, 19.5, false },
        { 0.4, 40, 0.1, 20, true },
        // What costs nothing may always be done; what costs more than a minute's hundredth not later than that.
        { 0, 2, 0, 1, true },
        { 4, 118, 0, 59, false },
        { 4, 120, 0, 60, true },
    };

    [Theory]
    [MemberData(nameof(Loads))]
    public void A_look_takes_what_is_idle_or_a_hundredth(double cost, double possible, double idle, double waited, bool allowed)
    {
        var pace = new WatchPace(null);
        pace.After(TimeSpan.Zero);
        pace.After(TimeSpan.Zero);
        Assert.Equal(allowed, pace.Allows(Seconds(cost), new(Seconds(possible), Seconds(idle)), Seconds(waited)));
    }

    [Fact]
    public void The_second_look_does_not_wait_for_what_starting_took()
    {
        var pace = new WatchPace(null);
        pace.After(TimeSpan.Zero);
        Assert.False(pace.Allows(Seconds(2), new(Seconds(18), default), Seconds(9)));
        Assert.True(pace.Allows(Seconds(2), new(Seconds(20), default), Seconds(10)));
    }

    [Fact]
    public void Who_says_how_often_gets_that()
    {
        Assert.True(new WatchPace(Seconds(1)).Allows(Seconds(10), new(Seconds(1), default), Seconds(1)));
        Assert.Equal(Seconds(1), new WatchPace(Seconds(1)).After(Seconds(5)));
        // Where the system does not say anything there is nothing to wait for.
        Assert.True(new WatchPace(null).Allows(Seconds(10), null, Seconds(1)));
    }

    [Fact]
    public void A_stop_is_a_hundredth_of_the_time() => Assert.Equal(Seconds(4), new WatchPace(null).After(Seconds(0.04)));

    [Fact]
    public void The_machine_is_the_processors_that_may_be_used()
    {
        Write("proc/self/status", "Cpus_allowed_list:\t1,3-4\n");
        Write("proc/stat", "cpu 9 9 9 9 9 9 9 9 9 9\n" + string.Concat(Enumerable.Range(0, 6).Select(i => $"cpu{i} {i * 100} 1 2 {i * 1000} 3 0 4 5 77 0\n")) + "intr 5\n");
        // 1, 3 and 4; what a guest did counts once.
        Assert.Equal([new ProcessorTime(Seconds(88.45), Seconds(80.09))], Meter().Read(default));
    }

    [Fact]
    public void A_limit_of_a_group_counts_if_it_is_less()
    {
        Write("proc/self/status", "Cpus_allowed_list:\t0-1\n");
        Write("proc/self/cgroup", "4:memory:/x\n2:cpu,cpuacct:/docker/a\n0::/pod/a\n");
        Write("groups/pod/cpu.max", "max 100000\n");
        Write("groups/pod/a/cpu.max", "50000 100000\n");
        Write("groups/cpu/docker/a/cpu.cfs_quota_us", "-1\n");
        Write("groups/cpu/docker/a/cpu.cfs_period_us", "100000\n");
        ImmutableArray<ProcessorTime> before = Take(0, 1000, 3), after = Take(10, 2800, 7.5);
        // Half a processor for 10 s, of which 4.5 s were used; the machine was idle.
        Assert.Equal(new ProcessorTime(Seconds(5), Seconds(0.5)), ProcessorMeter.Between(before, after));
        Write("groups/cpu/docker/a/cpu.cfs_quota_us", "20000\n");
        before = Take(20, 0, 7.5);
        Write("groups/cpu/cpuacct.usage", "0");
        Assert.Null(ProcessorMeter.Between(after, before));
        Assert.Equal(new ProcessorTime(Seconds(2), Seconds(2)), ProcessorMeter.Between(before, Take(30, 1500, 7.5)));

        ImmutableArray<ProcessorTime> Take(double now, int idle, double used)
        {
            Write("proc/stat", $"cpu0 0 0 0 {idle} 0 0 0 0 0 0\ncpu1 {now * 100} 0 0 0 0 0 0 0 0 0\n");
            Write("groups/pod/a/cpu.stat", $"usage_usec {used * 1e6}\nuser_usec 5\n");
            Write("groups/cpuacct/docker/a/cpuacct.usage", "5000000000\n");
            return Meter().Read(Seconds(now));
        }
    }

    [Fact]
    public void What_the_system_does_not_say_is_not_known()
    {
        Assert.Empty(Meter().Read(default));
        Assert.Null(ProcessorMeter.Between([], []));
        Assert.SkipUnless(OperatingSystem.IsLinux(), "/proc is Linux");
        ImmutableArray<ProcessorTime> own = new ProcessorMeter().Read(default);
        Assert.InRange(own[0].Idle, TimeSpan.Zero, own[0].Possible);
    }

    public void Dispose() => _folder.Dispose();

    private ProcessorMeter Meter() => new(_folder.PathOf("proc"), _folder.PathOf("groups"));

    private void Write(string file, string text)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(_folder.PathOf(file))!);
        File.WriteAllText(_folder.PathOf(file), text);
    }

    private static TimeSpan Seconds(double seconds) => TimeSpan.FromSeconds(seconds);
}
