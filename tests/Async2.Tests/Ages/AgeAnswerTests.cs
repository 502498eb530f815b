using Async2.Analysis.Analyses.Ages;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Ages;
using Async2.Analysis.Query;
using Async2.Analysis.Query.Answers;
using Async2.Analysis.Rendering;
using Async2.Analysis.Rendering.Formats;
using Async2.Analysis.Snapshots;
using Async2.Tests.Support;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Ages;

/// <summary>What answers say of ages: which stacks, in which order, in which words; and a snapshot says the same.</summary>
public sealed class AgeAnswerTests
{
    private const long Now = 1_000_000;

    private const string Shop = """
        t1 ThunkTask -> a1 ; a1 Continuation Shop.Pay:1 -> end
        t2 ThunkTask -> b1 ; b1 Continuation Shop.Pay:1 -> end
        t3 ThunkTask -> c1 ; c1 Continuation Shop.Ship:2 -> end
        t4 ThunkTask -> d1 ; d1 Continuation Shop.Load:3 -> end
        a1 awaits System.Threading.Tasks.Task+DelayPromise
        b1 awaits System.Threading.Tasks.Task+DelayPromise
        c1 awaits System.Threading.Tasks.Task+DelayPromise
        d1 awaits System.Threading.Tasks.Task+DelayPromise
        """;

    [Fact]
    public void A_group_has_the_age_of_its_oldest_and_a_histogram()
    {
        LogicalStack[] stacks = [.. Ask("").Stacks];
        Assert.Equal([2, 1, 1], stacks.Select(stack => stack.Count));
        StackAge age = stacks[0].Age!;
        Assert.Equal((40_000, AgeClock.Timer, 2, true), (age.AtLeastMs, age.Clock, age.Stacks, age.IsExact));
        Assert.Equal([new AgeShare(1000, 1), new AgeShare(10_000, 1)], age.Shares);
        Assert.Null(stacks.Single(stack => stack.Frames[0].Method.StartsWith("Shop.Load", StringComparison.Ordinal)).Age);
    }

    [Fact]
    public void Text_says_long_waits_and_all_if_asked_by_age()
    {
        string text = Rendered.Text(Ask(""));
        Assert.Contains("oldest for 40 s", text, StringComparison.Ordinal);
        Assert.DoesNotContain("for 3.2 s", text, StringComparison.Ordinal);
        using var output = new MemoryStream();
        new TextRenderer().Render(Ask("--sort age"), new RenderOptions { AllAges = true, Verbose = true }, output);
        Assert.Contains("for 3.2 s (by its own timer)", System.Text.Encoding.UTF8.GetString(output.ToArray()), StringComparison.Ordinal);
    }

    [Fact]
    public void Stacks_are_chosen_by_age()
    {
        Assert.Equal(["Pay"], Names(Ask("--older-than 40s")));
        Assert.Equal(1, Ask("--older-than 40s").Stacks[0].Count);
        Assert.Equal(["Pay", "Ship"], Names(Ask("--older-than 3s")).Order());
        Assert.Empty(Ask("--older-than 1h").Stacks);
    }

    [Fact]
    public void The_oldest_comes_first()
    {
        AsyncModel model = Model(ship: 90_000);
        Assert.Equal(["Ship", "Pay", "Load"], Names(Ask("--sort age", model)));
        Assert.Equal("Pay", Names(Ask("--sort count", model))[0]);
        // In a group, too: the second one is older.
        Assert.NotEqual(Ask("", model).Stacks[0].Task, Ask("--sort age", model).Stacks[1].Task);
    }

    [Fact]
    public void A_snapshot_says_the_same()
    {
        AsyncModel model = Model();
        using var file = new MemoryStream();
        ModelWriter.Write(model, null, redacts: false, file);
        file.Position = 0;
        AsyncModel read = ModelReader.Read(file).Model;
        Assert.Equal((model.Facts.Ages.Now, model.Facts.Ages.NowSource, true), (read.Facts.Ages.Now, read.Facts.Ages.NowSource, read.Facts.Ages.FramesAreNew));
        Assert.Equal(model.Facts.Ages.Timers, read.Facts.Ages.Timers);
        Assert.Equal(model.Facts.Ages.Promises, read.Facts.Ages.Promises);
        Assert.Equal(model.Facts.Ages.Ticks, read.Facts.Ages.Ticks);
        Assert.Equal((Now, "timer"), (read.Target.LastTick, read.Target.LastTickFrom));
        foreach (string question in (string[])["", "--sort age", "--older-than 10s"])
            Assert.Equal(Ask(question, model).Stacks.Select(stack => (stack.Id, stack.Age?.AtLeastMs, stack.Task)), Ask(question, read).Stacks.Select(stack => (stack.Id, stack.Age?.AtLeastMs, stack.Task)));
    }

    [Fact]
    public void A_finding_says_for_how_long_its_stacks_have_waited()
    {
        AsyncModel model = Model();
        Assert.Equal(", the oldest for 40 s", Clause(0, 1, 2));
        Assert.Equal(", for 40 s", Clause(1));
        // What has just begun, and what is not known, is not worth a word.
        Assert.Equal("", Clause(0, 2));
        Assert.Equal("", Clause(3));
        // A finding that is about time says it, however short.
        Assert.Equal(", the oldest for at least 1.5 s, at most 4 s", AgeClause.Of(new(1500, AgeClock.Collection, 2) { AtMostMs = 4000, AtMostClock = AgeClock.Neighbours }, 2));

        string Clause(params int[] stacks) => AgeClause.IfLong(GroupAges.Of(WaitAges.Of(model), stacks), stacks.Length);
    }

    [Fact]
    public void A_damaged_part_is_refused()
    {
        AgeFacts facts = Model().Facts.Ages;
        Assert.Contains("not in order", Refused(facts with { Timers = [.. facts.Timers.Reverse()] }), StringComparison.Ordinal);
        Assert.Contains("out of its range", Refused(facts with { Ticks = [.. facts.Ticks.Select(_ => -1L)] }), StringComparison.Ordinal);
        Assert.Contains("moment", Refused(facts with { Now = 0 }), StringComparison.Ordinal);
    }

    private static string Refused(AgeFacts facts)
    {
        var columns = new ColumnWriter();
        AgeColumns.Write(facts, columns);
        return Assert.Throws<SnapshotFormatException>(() => AgeColumns.Read(new ColumnReader(SnapshotFormat.Ages, columns.Bytes.ToArray()))).Message;
    }

    private static string[] Names(StackView view) => [.. view.Stacks.Select(stack => stack.Frames[0].Method.Split('.')[^1].TrimEnd('(', ')'))];

    private static StackView Ask(string question, AsyncModel? model = null)
    {
        var query = new StackQuery();
        if (question.Split(' ') is [var option, var value])
            query = QueryOptionTable.All.Single(row => row.Option == option).Apply(query, option, value);
        return StackAnswer.Of(model ?? Model(), query, new ViewOptions(), TestContext.Current.CancellationToken);
    }

    // Pay has waited for 3.2 s and for 40 s, Ship for less; of Load nothing is known.
    private static AsyncModel Model(long ship = 3200)
    {
        TextHeap heap = TextHeap.Draw(Shop);
        AsyncModel model = WithPromises(DrawnModel.Of(heap.Input, heap, heap.Problems));
        ulong[] awaited = [.. Enumerable.Range(0, 3).Select(stack => model.Stacks.Rows[stack].WaitAddress)];
        (ulong Timer, ulong Promise, long Tick)[] rows = [.. awaited.Zip((long[])[Now - 3200, Now - 40_000, Now - ship], (promise, tick) => (promise + 0x1000, promise, tick)).OrderBy(row => row.Item1)];
        return model.With(new AgeFacts
        {
            Now = Now, NowSource = NowSource.Timer, FramesAreNew = true,
            Timers = [.. rows.Select(row => row.Timer)], Promises = [.. rows.Select(row => row.Promise)], Ticks = [.. rows.Select(row => row.Tick)],
        });
    }

    // A drawn heap has one promise for all.
    private static AsyncModel WithPromises(AsyncModel model)
    {
        var rows = new RowList<StackRow>();
        for (int i = 0; i < model.StackCount; i++)
            rows.Add(model.Stacks.Rows[i] with { WaitAddress = 0x500000 + ((ulong)i * 0x100) });
        StackTable stacks = model.Stacks;
        var columns = new ModelColumns
        {
            Nodes = model.Nodes, Awaits = model.Awaits, Links = model.Links, Reasons = model.Reasons, Types = model.Types,
            Stacks = new StackTable { Rows = rows, Shapes = stacks.Shapes, Nodes = stacks.Nodes, Waits = stacks.Waits, Idle = stacks.Idle, HeldBy = stacks.HeldBy, Tasks = stacks.Tasks },
        };
        return new AsyncModel(columns) { Target = model.Target, Places = model.Places, Complete = model.Complete };
    }
}
