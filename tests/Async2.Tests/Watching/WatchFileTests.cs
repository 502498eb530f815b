using Async2.Dump.Watching;
using Async2.Tests.Support;
using Async2.Tests.Support.Drawing;
using static Async2.Tests.Watching.WatchDrawing;

namespace Async2.Tests.Watching;

/// <summary>Files that <c>watch</c> writes: when, how many, for whose eyes, and what it never deletes.</summary>
public sealed class WatchFileTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();
    private readonly HandClock _clock = new();

    private string[] Files => [.. Directory.GetFiles(_folder.Path).Select(file => Path.GetFileName(file)!).Order(StringComparer.Ordinal)];

    [Fact]
    public void A_file_is_its_owners_and_nothing_is_overwritten()
    {
        var folder = new SnapshotFolder(_folder.PathOf("new"), _clock);
        string? first = folder.Save(7, "key", [1, 2], out string? failure), second = folder.Save(7, "key", [3], out _);
        Assert.Null(failure);
        Assert.NotEqual(first, second);
        Assert.Equal([1, 2], File.ReadAllBytes(first!));
        Assert.Equal([3], File.ReadAllBytes(second!));
        if (!OperatingSystem.IsWindows())
        {
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(first!));
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute, File.GetUnixFileMode(_folder.PathOf("new")));
        }
    }

    [Fact]
    public void What_cannot_be_written_is_a_sentence()
    {
        string file = _folder.PathOf("file");
        File.WriteAllText(file, "");
        Assert.Null(new SnapshotFolder(Path.Join(file, "below"), _clock).Save(7, "key", [1], out string? failure));
        Assert.NotEmpty(failure!);
    }

    [Fact]
    public void A_full_disk_is_a_sentence_and_leaves_nothing()
    {
        Assert.SkipUnless(Directory.Exists("/dev/full") || File.Exists("/dev/full"), "needs /dev/full");
        var saver = new WatchSaver(new WatchPlan { Folder = "/dev/full", Every = TimeSpan.FromSeconds(1) }, _clock);
        _clock.Advance(1000);
        Assert.StartsWith("not saved: ", Assert.Single(saver.Take(Series().Look(Model(0, Pay)), [1])), StringComparison.Ordinal);
        _clock.Advance(1000);
        // Once is enough.
        Assert.Empty(saver.Take(Series().Look(Model(1, Pay)), [1]));
    }

    [Fact]
    public void A_budget_deletes_only_its_own_and_nothing_in_vain()
    {
        string other = _folder.PathOf("3754_other.async2snap");
        File.WriteAllBytes(other, new byte[600]);
        var budget = new DiskBudget(_folder.Path, 1000);
        string[] own = [.. Enumerable.Range(0, 3).Select(i => Write($"{i}", 200))];
        // The oldest makes room for the third; the fourth can have none, whatever is deleted.
        Assert.Equal([false, true, true], own.Select(File.Exists));
        Assert.Contains("--max-disk", budget.MakeRoom(401)!, StringComparison.Ordinal);
        Assert.Equal([false, true, true], own.Select(File.Exists));
        Assert.True(File.Exists(other));
        // What somebody has changed is theirs.
        File.WriteAllBytes(own[1], new byte[199]);
        Assert.Null(budget.MakeRoom(200));
        Assert.Equal([false, true, false], own.Select(File.Exists));

        string Write(string name, int bytes)
        {
            string file = _folder.PathOf(name + ".async2snap");
            Assert.Null(budget.MakeRoom(bytes));
            File.WriteAllBytes(file, new byte[bytes]);
            budget.Add(file);
            return file;
        }
    }

    [Fact]
    public void A_ring_keeps_the_last_ones_and_deletes_only_its_own()
    {
        string other = _folder.PathOf("3754_other.async2snap");
        File.WriteAllText(other, "somebody else's");
        var saver = new WatchSaver(new WatchPlan { Folder = _folder.Path, Every = TimeSpan.FromSeconds(60), Keep = 2 }, _clock);
        Assert.Empty(saver.Take(Series().Look(Model(0, Pay)), [1]));
        Assert.Single(Files);
        for (byte i = 1; i <= 4; i++)
        {
            _clock.Advance(60_000);
            Assert.Empty(saver.Take(Series().Look(Model(i, Pay)), [i]));
        }
        Assert.Equal(3, Files.Length);
        Assert.Equal([3, 4], Directory.GetFiles(_folder.Path).Where(file => file != other).Select(file => (int)File.ReadAllBytes(file)[0]).Order());
        Assert.Equal("somebody else's", File.ReadAllText(other));
    }

    [Fact]
    public void A_file_of_the_ring_that_somebody_changed_stays()
    {
        var ring = new SnapshotRing(1);
        string first = _folder.PathOf("first"), second = _folder.PathOf("second"), third = _folder.PathOf("third");
        foreach (string path in (string[])[first, second, third])
        {
            File.WriteAllText(path, "written");
            Assert.Null(ring.Add(path));
            if (path == first)
                File.WriteAllText(first, "kept for later");
        }
        Assert.Equal(["first", "third"], Files);
    }

    [Fact]
    public void Incidents_are_saved_once_and_not_more_than_so_many()
    {
        var plan = new WatchPlan { Folder = _folder.Path, OnStuck = TimeSpan.FromSeconds(1), OnFinding = finding => finding.Rule == "deadlock", MaxSaves = 1 };
        var saver = new WatchSaver(plan, _clock);
        var series = Series();
        Assert.Matches(@"^saved .*_incident\.async2snap: deadlock: ", Assert.Single(saver.Take(series.Look(Model(0, Deadlock)), [1])));
        Assert.Empty(saver.Take(series.Look(Model(0.5, Deadlock)), [1]));
        Assert.Matches(@"^not saved: 1 snapshot .*\(--max-saves\): stuck for 2 s", Assert.Single(saver.Take(series.Look(Model(2, Deadlock)), [1])));
        Assert.Empty(saver.Take(series.Look(Model(200, Pay)), [1]));
        Assert.Empty(saver.Take(series.Look(Model(300, Deadlock)), [1]));
        Assert.Single(Files);
        Assert.Single(saver.Saved);
    }

    [Fact]
    public void What_could_not_be_saved_is_tried_again()
    {
        string place = _folder.PathOf("place");
        File.WriteAllText(place, "");
        var saver = new WatchSaver(new WatchPlan { Folder = place, OnFinding = _ => true }, _clock);
        var series = Series();
        Assert.StartsWith("not saved: ", Assert.Single(saver.Take(series.Look(Model(0, Deadlock)), [1])), StringComparison.Ordinal);
        File.Delete(place);
        Assert.StartsWith("saved ", Assert.Single(saver.Take(series.Look(Model(1, Deadlock)), [1])), StringComparison.Ordinal);
    }

    [Fact]
    public void A_process_is_stopped_for_a_hundredth_of_the_time_unless_the_user_wants_more()
    {
        var pace = new WatchPace(null);
        Assert.Equal(TimeSpan.FromSeconds(1), pace.After(TimeSpan.FromMilliseconds(4)));
        Assert.Equal(TimeSpan.FromSeconds(1.4), pace.After(TimeSpan.FromMilliseconds(24)));
        for (int i = 0; i < 5; i++)
            pace.After(TimeSpan.FromMilliseconds(50));
        Assert.Equal(TimeSpan.FromSeconds(5), pace.After(TimeSpan.FromMilliseconds(50)));
        Assert.Equal(TimeSpan.FromSeconds(2), new WatchPace(TimeSpan.FromSeconds(2)).After(TimeSpan.FromMilliseconds(500)));
    }

    public void Dispose() => _folder.Dispose();
}
