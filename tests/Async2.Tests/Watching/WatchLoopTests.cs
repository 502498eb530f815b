using Async2.Analysis.Model;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Watching;
using Async2.Dump.Watching;
using Async2.Tests.Support;
using Async2.Tests.Support.Drawing;
using static Async2.Tests.Watching.WatchDrawing;

namespace Async2.Tests.Watching;

/// <summary>Looks that fail, a process that ends, and a user who ends it: what is shown, said, and returned.</summary>
public sealed class WatchLoopTests
{
    private static readonly LookResult Failed = new() { Failure = "it was busy" };
    private static readonly LookResult Ended = new() { Failure = "it has ended", Fix = "start it", HasEnded = true };

    [Fact]
    public void It_ends_after_so_many_looks()
    {
        var view = new View();
        Assert.Equal(0, Loop(view, new WatchPlan { Count = 2, Interval = TimeSpan.FromMilliseconds(1) }, Seen(0), Seen(1), Seen(2)).Run());
        Assert.Equal((2, 0), (view.Looks.Count, view.Said.Count));
        Assert.NotNull(view.Looks[1].Changes);
    }

    [Fact]
    public void A_look_that_fails_is_reported_once_and_does_not_end_it()
    {
        var view = new View();
        Assert.Equal(0, Loop(view, new WatchPlan { Count = 5, Interval = TimeSpan.FromMilliseconds(1) }, Seen(0), Failed, Failed, new() { Snapshot = [1, 2, 3] }, Seen(2)).Run());
        Assert.Equal(2, view.Looks.Count);
        Assert.Equal(["could not look: it was busy", "could not look: What was sent cannot be read as a snapshot: it is not a snapshot."], view.Said);
    }

    [Fact]
    public void Whose_last_look_failed_has_seen_it_in_part()
        => Assert.Equal(4, Loop(new View(), new WatchPlan { Count = 2, Interval = TimeSpan.FromMilliseconds(1) }, Seen(0), Failed).Run());

    [Fact]
    public void The_end_of_a_process_is_reported()
    {
        var view = new View();
        Assert.Equal(0, Loop(view, new WatchPlan(), Seen(0), Ended, Ended).Run());
        Assert.Equal(["process 3754 has ended, after 1 look"], view.Said);
    }

    [Fact]
    public void One_failure_to_find_it_is_not_its_end()
    {
        var view = new View();
        Assert.Equal(0, Loop(view, new WatchPlan { Count = 3, Interval = TimeSpan.FromMilliseconds(1) }, Seen(0), Ended, Seen(1)).Run());
        Assert.Equal((2, 0), (view.Looks.Count, view.Said.Count));
    }

    [Fact]
    public void Another_process_with_its_name_is_not_looked_at()
    {
        AsyncModel other = Model(1, Pay);
        LookResult result = new() { Snapshot = Bytes(other with { Target = other.Target with { Pid = 4 } }) };
        var view = new View();
        Assert.Equal(0, Loop(view, new WatchPlan(), Seen(0), result, result).Run());
        Assert.Single(view.Looks);
        Assert.Contains("has ended", Assert.Single(view.Said), StringComparison.Ordinal);
    }

    [Fact]
    public void What_was_never_seen_is_an_error_with_a_fix()
    {
        var error = Assert.Throws<TargetException>(() => Loop(new View(), new WatchPlan(), Ended, Ended).Run());
        Assert.Equal(("it has ended", "start it"), (error.Message, error.Fix));
        Assert.Throws<TargetException>(() => Loop(new View(), new WatchPlan(), Failed, Failed, Failed).Run());
    }

    [Fact]
    public void The_user_ends_it_in_the_middle_of_a_look()
    {
        using var stop = new CancellationTokenSource();
        var source = new Source([Seen(0)]) { OnLook = looks => { if (looks == 2) stop.Cancel(); } };
        var view = new View();
        Assert.Equal(0, new WatchLoop(source, Series(), new WatchPlan { Interval = TimeSpan.FromMilliseconds(1) }, new WatchSaver(new WatchPlan(), new HandClock()), view, Idle, new Lock(), stop.Token).Run());
        Assert.True(source.IsStopped);
        Assert.Equal((1, 0), (view.Looks.Count, view.Said.Count));
    }

    [Fact]
    public void Where_all_processors_are_busy_a_look_waits_until_one_is_idle()
    {
        using var folder = new TemporaryFolder();
        string stat = Path.Join(Directory.CreateDirectory(folder.PathOf("proc/self")).Parent!.FullName, "stat");
        File.WriteAllText(folder.PathOf("proc/self/status"), "Cpus_allowed_list:\t0\n");
        int used = 0;
        Busy();
        // At the third check it has been idle for long.
        var view = new View();
        view.OnWait = waits =>
        {
            if (waits < 3)
                Busy();
            else
                File.WriteAllText(stat, "cpu0 0 0 0 100000 0 0 0 0 0 0\n");
        };
        var source = new Source([Seen(0), Seen(1)]) { Cost = TimeSpan.FromSeconds(2) };
        var loop = new WatchLoop(source, Series(), new WatchPlan { Count = 2 }, new WatchSaver(new WatchPlan(), new HandClock()), view, new ProcessorMeter(folder.PathOf("proc"), folder.PathOf("groups")), new Lock(), TestContext.Current.CancellationToken);
        Assert.Equal(0, loop.Run());
        Assert.Equal(3, view.Waits);
        Assert.Equal([false, true], view.Late.Select(late => late > TimeSpan.Zero));

        void Busy() => File.WriteAllText(stat, $"cpu0 {used += 100} 0 0 0 0 0 0 0 0 0\n");
    }

    [Fact]
    public void A_look_is_late_in_words()
    {
        var view = new StringWriter();
        using var lines = new PlainView(new PlainText(view), view);
        WatchLook look = Series().Look(Model(0, Pay));
        lines.Show(look, [], TimeSpan.FromSeconds(1), TimeSpan.Zero);
        lines.Show(look, [], TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(16));
        Assert.Equal(["2026-11-23T05:12:00Z  1 stack", "2026-11-23T05:12:00Z  1 stack; 16 s late, all processors were busy"], view.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries));
    }

    // No folder, no figures: as on a machine that has nothing to do.
    private static ProcessorMeter Idle => new("", "");

    private static LookResult Seen(int second) => new() { Snapshot = Bytes(Model(second, Pay)) };

    private static WatchLoop Loop(View view, WatchPlan plan, params LookResult[] looks)
        => new(new Source(looks), Series(), plan, new WatchSaver(plan, new HandClock()), view, Idle, new Lock(), TestContext.Current.CancellationToken);

    private sealed class Source(LookResult[] looks) : ILookSource
    {
        private int _next;

        public bool IsStopped { get; private set; }

        public TimeSpan Cost { get; init; }

        public TimeSpan Spent => Cost * _next;

        public Action<int> OnLook { get; init; } = _ => { };

        public LookResult Look()
        {
            OnLook(_next + 1);
            return _next < looks.Length ? looks[_next++] : LookResult.Over;
        }

        public void Stop() => IsStopped = true;

        public void Dispose() => Stop();
    }

    private sealed class View : IWatchView
    {
        public List<WatchLook> Looks { get; } = [];

        public List<string> Said { get; } = [];

        public List<TimeSpan> Late { get; } = [];

        public Action<int> OnWait { get; set; } = _ => { };

        public int Waits { get; private set; }

        public void Show(WatchLook look, byte[] snapshot, TimeSpan interval, TimeSpan late)
        {
            Looks.Add(look);
            Late.Add(late);
        }

        public void Wait() => OnWait(++Waits);

        public void Say(string text) => Said.Add(text);

        public void End(string text) => Said.Add(text);

        public void Dispose()
        {
        }
    }
}
