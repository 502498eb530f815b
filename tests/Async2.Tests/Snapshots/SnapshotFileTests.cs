using Async2.Analysis.Model;
using Async2.Analysis.Model.Ages;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Model.Labels;
using Async2.Analysis.Query;
using Async2.Analysis.Query.Answers;
using Async2.Analysis.Snapshots;
using Async2.Tests.Support;
using Async2.Tests.Support.Drawing;
using FsCheck;
using FsCheck.Fluent;

namespace Async2.Tests.Snapshots;

/// <summary>A model that was written and read answers like the one that was written, and a damaged file with one sentence.</summary>
public sealed class SnapshotFileTests(ITestOutputHelper output)
{
    private const string Shop = """
        g1 ThunkTask -> a1 ; a1 Continuation [Task.Delay] -> a2 ; a2 Continuation Shop.Prices.Refresh:9 -> end ; g1 awaitedBy t2 t3 t4
        t2 ThunkTask -> b1 ; b1 Continuation Shop.Orders.Pay:4 -> b2 ; b2 Continuation Shop.Main:5 -> end
        t3 ThunkTask -> d1 ; d1 Continuation Shop.Orders.Pay:4+Shop.Left:2 -> d2 ; d2 Continuation {Net.Send} -> d3 ; d3 Continuation Shop.Other:6 -> end
        t4 ThunkTask -> e1 ; e1 Continuation Shop.Orders.Pay:4 -> e2 ; e2 Continuation Shop.Main:5 -> end
        x1 ThunkTask -> k1 ; k1 Continuation Shop.Lock.B:1 -> end ; x1 awaitedBy x2 x4
        x2 ThunkTask -> k2 ; k2 Continuation Shop.Lock.C:1 -> end ; x2 awaitedBy x1
        x4 ThunkTask -> k4 ; k4 Continuation Shop.Lock.Outside:1 -> end
        w1 WhenAll ; w1 awaitedBy t5 ; t2 awaitedBy w1 ; t5 ThunkTask -> f1 ; f1 Continuation Shop.All:7 -> end
        m1 Machine Shop.Queue.Take:4 ; m2 Machine Shop.Queue.Take:4
        y1 Thread 7 Shop.Spin:3 {Sys.Run:1} ; y1 runsIn t4 e2 ; y2 Thread 9 {Sys.Idle:1}
        z1 Thread 11 Shop.Hold:1 ; z1 wants 12 ; z2 Thread 12 Shop.Hold:2 ; z2 wants 11
        q1 Plain ; q2 Plain ; q1 awaitedBy q2 ; d9 Done
        a1 awaits System.Threading.Tasks.Task+DelayPromise proven ; a1 endedBy timer
        n1 ThunkTask -> o1 ; o1 Continuation Shop.Next:2 -> end ; n1 resumesOn 9
        z3 Thread 13 Shop.Want:1 ; z3 wants 9 of lock
        """;

    public static TheoryData<string> Questions =>
        ["", "--state deadlocked", "--method Pay", "--without Main", "--thread 7", "--thread 9", "--waiting-on Delay", "--module Shop", "all", "tasks", "framework"];

    [Theory]
    [MemberData(nameof(Questions))]
    public void It_answers_like_the_model(string question)
    {
        AsyncModel model = Model();
        (AsyncModel read, _) = Read(Written(model));
        StackView before = Ask(model, question), after = Ask(read, question);
        Assert.NotEmpty(Rendered.Text(before));
        Assert.Equal(TargetKind.Snapshot, after.Target.Kind);
        after = after with { Target = after.Target with { Kind = before.Target.Kind } };
        Assert.Equal(Rendered.Text(before), Rendered.Text(after));
        Assert.Equal(Rendered.Json(before), Rendered.Json(after));
    }

    [Fact]
    public void Each_query_is_about_something() => Assert.All(Questions, question => Assert.NotEmpty(Ask(Model(), question).Stacks));

    [Fact]
    public void A_snapshot_read_and_written_again_is_the_same_file()
    {
        byte[] first = Written(Model());
        AsyncModel read = Read(first).Model;
        Assert.Equal(Written(read), Written(Read(Written(read)).Model));
    }

    [Fact]
    public void Its_graph_has_the_same_nodes_and_edges()
    {
        AsyncModel model = Model(), read = Read(Written(model)).Model;
        Assert.Equal(Enumerable.Range(0, model.Graph.Count).Select(node => model.Graph[node]), Enumerable.Range(0, read.Graph.Count).Select(node => read.Graph[node]));
        Assert.Equal(GraphText.Edges(model), GraphText.Edges(read));
        Assert.Equal(Enum.GetValues<EdgeKind>(), GraphText.Edges(read).Select(edge => edge.Kind).Distinct().Order());
    }

    [Fact]
    public void Its_pool_is_the_same() => Assert.Equal(DrawnPool.Whole, Read(Written(Model())).Model.Target.Pool);

    [Fact]
    public void It_has_the_same_waits_without_an_end_and_lost_operations()
    {
        var facts = new GraphFacts
        {
            Orphans = [.. Enum.GetValues<OrphanFact>().Select((fact, i) => new OrphanRow(0x7f0000000000 + (ulong)(i * 24), i, fact))],
            Lost = [.. Enum.GetValues<LostFact>().Select((fact, i) => new LostRow(i, fact))],
        };
        var columns = new ColumnWriter();
        OrphanColumns.Write(facts, columns);
        GraphFacts read = OrphanColumns.Read(new ColumnReader(SnapshotFormat.Orphans, columns.Bytes.ToArray()), GraphFacts.None, new AsyncGraph(2, segments: Enum.GetValues<OrphanFact>().Length - 2));
        Assert.Equal(facts.Orphans, read.Orphans);
        Assert.Equal(facts.Lost, read.Lost);
        Assert.Throws<SnapshotFormatException>(() => OrphanColumns.Read(new ColumnReader(SnapshotFormat.Orphans, columns.Bytes.ToArray()), GraphFacts.None, new AsyncGraph(2, segments: Enum.GetValues<OrphanFact>().Length - 3)));
    }

    [Fact]
    public void Its_stacks_have_the_same_labels()
    {
        AsyncModel model = Labelled(Model()), read = Read(Written(model)).Model;
        Assert.All(Enumerable.Range(0, model.StackCount), stack => Assert.Equal(model.Facts.Labels.Of(stack), read.Facts.Labels.Of(stack)));
        Assert.Equal(["GET /orders/7?...", "/orders/{id}", "t42"], read.Facts.Labels.Of(1).Select(label => label.Value));
        AsyncModel redacted = Read(Written(model, redacts: true)).Model;
        Assert.Equal(["GET <redacted>", "/orders/{id}", "<redacted>"], redacted.Facts.Labels.Of(1).Select(label => label.Value));
        Assert.DoesNotContain("t42", string.Concat(PartFile.Read(new MemoryStream(Written(model, redacts: true))).Values.Select(System.Text.Encoding.UTF8.GetString)), StringComparison.Ordinal);
        Assert.Equal(Rendered.Json(Ask(model, "--label Tenant")).Replace("dump", "snapshot", StringComparison.Ordinal), Rendered.Json(Ask(read, "--label Tenant")));
        Assert.NotEmpty(Ask(read, "--label Tenant").Stacks);
    }

    [Fact]
    public void A_file_from_before_there_were_such_edges_is_read()
    {
        var file = new MemoryStream();
        PartFile.WriteHead(file);
        foreach ((string name, byte[] bytes) in PartFile.Read(new MemoryStream(Written(Model()))).Where(p => p.Key is not (SnapshotFormat.Links or SnapshotFormat.Orphans or SnapshotFormat.Labels)))
            PartFile.Write(file, name, bytes);
        PartFile.Write(file, SnapshotFormat.End, []);
        // Findings about locks and threads rest on these edges.
        Assert.Equal(Rendered.Text(Ask(Model(), "") with { Findings = [] }), Rendered.Text(Ask(Read(file.ToArray()).Model, "") with { Findings = [] }).Replace("snapshot", "dump", StringComparison.Ordinal));
    }

    [Fact]
    public void Variables_are_included_on_request()
    {
        AsyncModel model = Model();
        (AsyncModel read, IFrameVariables? variables) = Read(Written(model, new Drawn()));
        LogicalStack stack = StackAnswer.Of(read, new StackQuery(), new ViewOptions { Variables = variables }, TestContext.Current.CancellationToken).Stacks[0];
        Assert.Equal("order", Assert.Single(stack.Frames.First(frame => frame.Address is not null).Locals).Name);
        Assert.Null(Read(Written(model)).Variables);
    }

    [Fact]
    public void A_redacted_snapshot_has_no_value_and_no_text_of_the_target()
    {
        AsyncModel model = Model();
        model = model with { Target = model.Target with { Path = "/home/ada/shop.dmp", CommandLine = "shop --secret 1", HostName = "ada-pc" } };
        byte[] file = Written(model, new Drawn(), redacts: true);
        (AsyncModel read, IFrameVariables? variables) = Read(file);
        Assert.Equal(("shop.dmp", null, null), (read.Target.Path, read.Target.CommandLine, read.Target.HostName));
        LogicalStack stack = StackAnswer.Of(read, new StackQuery(), new ViewOptions { Variables = variables }, TestContext.Current.CancellationToken).Stacks[0];
        Assert.All(stack.Frames.SelectMany(frame => frame.Locals), local => Assert.Equal(Redaction.Hidden, local.Value));
        Assert.DoesNotContain("secret", string.Concat(PartFile.Read(new MemoryStream(file)).Values.Select(System.Text.Encoding.UTF8.GetString)), StringComparison.Ordinal);
    }

    // What is answered at once has as little in it as the file.
    [Fact]
    public void What_an_exception_says_is_the_programs_own()
    {
        AsyncModel model = Model();
        model = model.With(model.Reasons, model.Facts with { Faults = [new(0x10, "IOException", "ada's secret", 0, 0, -1)] });
        Assert.Null(Assert.Single(Redaction.Of(model).Facts.Faults).Message);
        Assert.Null(Assert.Single(Read(Written(model, redacts: true)).Model.Facts.Faults).Message);
        Assert.Equal("ada's secret", Assert.Single(Read(Written(model)).Model.Facts.Faults).Message);
    }

    [Theory]
    [InlineData(true, 1_000_000)]
    [InlineData(false, 5_000_000)]
    public void It_is_small(bool equal, int most)
    {
        AsyncModel model = (equal ? BulkHeap.Chains(10_000, 100, _ => []) : BulkHeap.DistinctChains(10_000, 20, 2000)).Model();
        byte[] file = Written(model);
        Assert.InRange(file.Length, 1000, most);
        Assert.Equal(10_000, Read(file).Model.StackCount);
        output.WriteLine($"{file.Length:N0} bytes");
    }

    [Theory]
    [InlineData(0, "it is not a snapshot")]
    [InlineData(5, "it is not a snapshot")]
    [InlineData(14, "it is truncated: its last part is missing")]
    [InlineData(60, "it is truncated in its part TABL")]
    public void Truncated(int length, string sentence) => Assert.Equal(sentence, Assert.Throws<SnapshotFormatException>(() => Read(Written(Model())[..length])).Message);

    [Fact]
    public void A_file_of_a_newer_version_is_rejected()
    {
        byte[] file = Written(Model());
        file[SnapshotFormat.Magic.Length] = 9;
        Assert.Equal("it is of version 9, and this tool reads version 1", Assert.Throws<SnapshotFormatException>(() => Read(file)).Message);
    }

    [Fact]
    public void A_part_of_a_newer_tool_is_skipped()
    {
        var file = new MemoryStream();
        byte[] written = Written(Model());
        file.Write(written.AsSpan(0, SnapshotFormat.Magic.Length + 2));
        PartFile.Write(file, "NEWS", [1, 2, 3]);
        file.Write(written.AsSpan(SnapshotFormat.Magic.Length + 2));
        Assert.Equal(Model().StackCount, Read(file.ToArray()).Model.StackCount);
    }

    [Fact]
    public void Any_wrong_byte_of_the_file_gives_one_sentence()
    {
        byte[] file = Written(Model());
        Prop.ForAll(ArbMap.Default.ArbFor<(uint, byte)>(), change =>
        {
            byte[] damaged = [.. file];
            damaged[change.Item1 % damaged.Length] ^= (byte)(change.Item2 | 1);
            Assert.Throws<SnapshotFormatException>(() => Read(damaged));
        }).Check(Config.QuickThrowOnFailure.WithMaxTest(500));
    }

    // A malicious file has valid checksums.
    [Theory]
    [InlineData(SnapshotFormat.Tables)]
    [InlineData(SnapshotFormat.Frames)]
    [InlineData(SnapshotFormat.Nodes)]
    [InlineData(SnapshotFormat.Edges)]
    [InlineData(SnapshotFormat.Shapes)]
    [InlineData(SnapshotFormat.Stacks)]
    [InlineData(SnapshotFormat.Types)]
    [InlineData(SnapshotFormat.Links)]
    [InlineData(SnapshotFormat.Orphans)]
    [InlineData(SnapshotFormat.Labels)]
    [InlineData(SnapshotFormat.Variables)]
    public void Wrong_bytes_with_valid_checksums_give_one_sentence_or_an_answer(string part)
    {
        Dictionary<string, byte[]> parts = PartFile.Read(new MemoryStream(Written(Labelled(Model()), new Drawn())));
        int refused = 0;
        Prop.ForAll(ArbMap.Default.ArbFor<(uint, byte)[]>(), changes =>
        {
            byte[] bytes = [.. parts[part]];
            foreach ((uint place, byte value) in changes)
                bytes[place % bytes.Length] = value;
            refused += IsRefused(parts, part, bytes) ? 1 : 0;
        }).Check(Config.QuickThrowOnFailure.WithMaxTest(300));
        Assert.InRange(refused, 1, 300);
    }

    [Fact]
    public void Errors_do_not_quote_the_file()
    {
        Dictionary<string, byte[]> parts = PartFile.Read(new MemoryStream(Written(Model(), new Drawn())));
        Assert.True(IsRefused(parts, SnapshotFormat.Variables, "f\n\u001b[31m"u8.ToArray()));
    }

    [Fact]
    public void A_shape_that_is_used_too_often_does_not_exhaust_memory()
    {
        Dictionary<string, byte[]> parts = PartFile.Read(new MemoryStream(Written(Model())));
        var shapes = new ColumnWriter();
        shapes.Count(1);
        shapes.Count(1);
        shapes.Count(0);
        shapes.Count(500_000);
        for (int i = 0; i < 500_000; i++)
            shapes.Signed(0);
        for (int i = 0; i < 500_000; i++)
            shapes.Byte((byte)FrameForm.NoObject);
        var stacks = new ColumnWriter();
        stacks.Count(1000);
        for (int i = 0; i < 7 * 1000; i++)
            stacks.Byte(0);
        stacks.Count(0);
        stacks.Count(0);
        parts[SnapshotFormat.Shapes] = shapes.Bytes.ToArray();
        Assert.True(IsRefused(parts, SnapshotFormat.Stacks, stacks.Bytes.ToArray()));
    }

    [Theory]
    [InlineData(SnapshotFormat.Frames)]
    [InlineData(SnapshotFormat.Stacks)]
    public void A_missing_part_is_named(string part)
    {
        var file = new MemoryStream();
        PartFile.WriteHead(file);
        foreach ((string name, byte[] bytes) in PartFile.Read(new MemoryStream(Written(Model()))).Where(p => p.Key != part))
            PartFile.Write(file, name, bytes);
        PartFile.Write(file, SnapshotFormat.End, []);
        Assert.Equal($"its part {part} is missing", Assert.Throws<SnapshotFormatException>(() => Read(file.ToArray())).Message);
    }

    private static bool IsRefused(Dictionary<string, byte[]> parts, string part, byte[] bytes)
    {
        var file = new MemoryStream();
        PartFile.WriteHead(file);
        foreach ((string name, byte[] old) in parts)
            PartFile.Write(file, name, name == part ? bytes : old);
        PartFile.Write(file, SnapshotFormat.End, []);
        try
        {
            (AsyncModel model, IFrameVariables? variables) = Read(file.ToArray());
            foreach (string question in Questions)
                Rendered.Json(Ask(model, question, variables));
            Rendered.Text(Ask(model, "tasks", variables), ascii: true);
            GraphText.Of(model);
            Assert.All(Enumerable.Range(0, model.Graph.Count), node => model.Graph.EdgesTo(node));
            return false;
        }
        catch (SnapshotFormatException e)
        {
            Assert.DoesNotContain('\n', e.Message);
            return true;
        }
    }

    private static StackView Ask(AsyncModel model, string question, IFrameVariables? variables = null)
    {
        var options = new ViewOptions { Coalesce = question != "all", IncludeFramework = question == "framework", PlainTasks = question == "tasks", Completed = question == "tasks", Variables = variables };
        string[] words = question.Split(' ');
        var query = words is [var option, var value] ? QueryOptionTable.All.Single(row => row.Option == option).Apply(new StackQuery(), option, value) : new StackQuery();
        return StackAnswer.Of(model, query, options, default);
    }

    private static AsyncModel Model()
    {
        TextHeap heap = TextHeap.Draw(Shop);
        AsyncModel model = DrawnModel.Of(heap.Input with { AllThreads = true }, heap, heap.Problems);
        ulong[] waits = [.. Enumerable.Range(0, model.StackCount).Select(stack => model.Stacks.Rows[stack].WaitAddress).Where(address => address != 0).Distinct().Order()];
        var ages = new AgeFacts
        {
            Now = 100_000, NowSource = NowSource.Pool, FramesAreNew = true,
            Timers = [.. waits.Select(wait => wait + 8)], Promises = waits, Ticks = [.. waits.Select((_, i) => 10_000L + i)],
        };
        return (model with { Target = model.Target with { Pool = DrawnPool.Whole } }).With(ages);
    }

    // Half of the stacks work for a request.
    private static AsyncModel Labelled(AsyncModel model) => model.With(new LabelFacts
    {
        Labels = [new(LabelNames.Request, "GET /orders/7?...", LabelSource.Connection), new(LabelNames.Route, "/orders/{id}", LabelSource.Connection), new("Shop.Tenant", "t42", LabelSource.Context)],
        Sets = [[0, 1, 2], [2]],
        SetOf = Enumerable.Range(0, model.StackCount).Where(stack => stack % 2 == 1).ToDictionary(stack => stack, stack => stack == 1 ? 0 : 1),
    });

    private static byte[] Written(AsyncModel model, IFrameVariables? variables = null, bool redacts = false)
    {
        using var stream = new MemoryStream();
        ModelWriter.Write(model, variables, redacts, stream);
        return stream.ToArray();
    }

    private static (AsyncModel Model, IFrameVariables? Variables) Read(byte[] file) => ModelReader.Read(new MemoryStream(file));

    // Every frame has one variable.
    private sealed class Drawn : IFrameVariables
    {
        public System.Collections.Immutable.ImmutableArray<LocalValue> LocalsOf(int place, ulong address) => [new("order", "Order", "\"secret\"")];
    }
}
