using Async2.Analysis;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering;
using Async2.Analysis.Rendering.Formats;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Sos;

/// <summary>A command that asks for other stacks is answered from what an earlier one read: the target is not read again.</summary>
[Trait("Category", "Integration")]
[Collection(DumpCollection.Name)]
public sealed class SecondQuestionTests(ScenarioDump dump)
{
    // The host closes the dump then, so that whatever reads it fails.
    private const string Closed = "detach";

    [Theory]
    [InlineData("--method Pack")]
    [InlineData("--coalesce")]
    [InlineData("--state awaiting --group-by method --limit 2")]
    [InlineData("--without Pack --without Pick")]
    [InlineData("--waiting-on Delay")]
    [InlineData("--type DelayPromise")]
    [InlineData("--thread 1")]
    [InlineData("--deadlocks")]
    [InlineData("--tasks")]
    [InlineData("--completed")]
    [InlineData("--tasks --completed --coalesce")]
    public void Nothing_is_read_again(string options)
    {
        string expected = new SosHost().Run(dump.Path, $"dumpasync2 --json {options}");
        string[] said = new SosHost().Run(dump.Path, "dumpasync2 --json --limit 1", Closed, $"dumpasync2 --json {options}");
        Assert.Equal(expected, said[3]);
    }

    [Fact]
    public void What_was_asked_last_stays_known_while_other_options_are_tried()
    {
        const string usual = "dumpasync2 --json --method Pack";
        string expected = new SosHost().Run(dump.Path, usual);
        string[] said = new SosHost().Run(dump.Path, usual, "dumpasync2 --stats --deep", usual, "dumpasync2 --stats --no-deep", Closed, usual);
        Assert.Equal(expected, said[^1]);
    }

    [Fact]
    public void Reading_a_closed_dump_would_be_seen()
    {
        string expected = new SosHost().Run(dump.Path, "dumpasync2 --json --deep");
        string[] said = new SosHost().Run(dump.Path, "dumpasync2 --json --limit 1", Closed, "dumpasync2 --json --deep");
        Assert.NotEqual(expected, said[3]);
    }

    [Theory]
    [InlineData(true, true)]
    [InlineData(false, false)]
    public void Variables_need_no_second_look_at_the_heap(bool first, bool tasks)
    {
        using Target target = Target.Open(dump.Path, new TargetOptions());
        AnalyzedTarget read = AnalyzedTarget.Analyze(target, new AnalysisOptions { KeepsTasks = true, Locals = !first }, cancellation: TestContext.Current.CancellationToken);
        var asked = new AnalysisOptions { KeepsTasks = true, Locals = first, PlainTasks = tasks, Completed = tasks };
        Assert.True(read.Answers(asked));
        Assert.Equal(JsonOf(Analyzer.Analyze(target, asked, cancellation: TestContext.Current.CancellationToken)), JsonOf(read.Ask(asked, TestContext.Current.CancellationToken)));
    }

    [Fact]
    public void Who_keeps_no_tasks_reads_again_for_them()
    {
        using Target target = Target.Open(dump.Path, new TargetOptions());
        AnalyzedTarget read = AnalyzedTarget.Analyze(target, new AnalysisOptions { Completed = true }, cancellation: TestContext.Current.CancellationToken);
        Assert.True(read.Answers(new AnalysisOptions()));
        Assert.False(read.Answers(new AnalysisOptions { PlainTasks = true }));
    }

    private static string JsonOf(StackView view)
    {
        using var stream = new MemoryStream();
        new JsonRenderer().Render(view, new RenderOptions(), stream);
        return System.Text.Encoding.UTF8.GetString(stream.ToArray());
    }
}
