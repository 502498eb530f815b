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
        string[] said = new SosHost().Run(dump.Path, usual, "dumpasync2 --stats --tasks", usual, "dumpasync2 --stats --completed", Closed, usual);
        Assert.Equal(expected, said[^1]);
    }

    [Fact]
    public void Reading_a_closed_dump_would_be_seen()
    {
        string expected = new SosHost().Run(dump.Path, "dumpasync2 --json --tasks");
        string[] said = new SosHost().Run(dump.Path, "dumpasync2 --json --limit 1", Closed, "dumpasync2 --json --tasks");
        Assert.NotEqual(expected, said[3]);
    }
}
