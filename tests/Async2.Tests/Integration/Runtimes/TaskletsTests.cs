using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Tests.Support;
using Microsoft.Diagnostics.NETCore.Client;

namespace Async2.Tests.Integration.Runtimes;

/// <summary>
/// Tasklets of the async2 experiment: frames that the JIT really made, in structures that are the experiment's byte for byte, in
/// real processes and dumps. Not the experiment's runtime itself, whose binaries are not available.
/// </summary>
[Trait("Category", "Integration")]
public sealed class TaskletsTests
{
    /// <summary>Options that give the same program other structures.</summary>
    public static TheoryData<string> Shapes => ["v4", "v3", "v2", "shuffled", "v4 --contract none", "v3 --contract none"];

    public static TheoryData<string> Situations => ["plain", "joined", "states", "running"];

    [Theory]
    [MemberData(nameof(Situations))]
    public void Every_stack_is_found_live_and_in_a_full_dump(string situation)
    {
        using var run = new TaskletsRun("--situation", situation);
        StackView live = run.LookLive();
        Holds(run.Truth.Stacks, live);
        Assert.Equal(TaskletsRun.Text(live), TaskletsRun.Text(run.LookAtDump()));
        Assert.Contains("tasklet", live.Target.Families);
    }

    [Fact]
    public void A_list_without_tasklets_is_not_a_fault()
    {
        using var run = new TaskletsRun("--situation", "empty");
        StackView found = run.LookLive();
        Assert.Empty(found.Stacks);
        Assert.True(found.Complete);
        Assert.DoesNotContain(found.Problems, p => p.Code is ProblemCodes.TaskletUnsound or ProblemCodes.TaskletList);
    }

    [Theory]
    [MemberData(nameof(Shapes))]
    public void Every_shape_of_the_structures_is_read(string shape)
    {
        foreach (string situation in (string[])["plain", "states"])
        {
            using var run = new TaskletsRun([.. $"--situation {situation} --variant {shape}".Split(' ')]);
            // Only a contract says where the list is, and only the list leads to what nothing owns.
            bool hasList = !shape.Contains("none", StringComparison.Ordinal);
            Holds(run.Truth.Stacks.Where(s => hasList || s.Note is null), run.LookLive());
        }
    }

    [Theory]
    [InlineData("plain")]
    [InlineData("joined")]
    [InlineData("states")]
    [InlineData("running")]
    public void Other_offsets_and_sizes_change_nothing(string situation)
    {
        using var usual = new TaskletsRun("--situation", situation);
        using var shuffled = new TaskletsRun("--situation", situation, "--variant", "shuffled");
        StackView expected = usual.LookLive();
        Assert.NotEmpty(expected.Stacks);
        Assert.Equal(TaskletsRun.Text(expected), TaskletsRun.Text(shuffled.LookLive()));
    }

    [Theory]
    [MemberData(nameof(Shapes))]
    public void A_heap_dump_has_every_owned_stack(string shape)
    {
        using var run = new TaskletsRun([.. $"--situation plain --variant {shape}".Split(' ')]);
        StackView found = run.LookAtDump(DumpType.WithHeap);
        TaskletsComparison.AssertNone(TaskletsComparison.Differences(run.Truth.Stacks, found));
        // The head of the list is a variable of a module, and such a dump leaves those out.
        Assert.DoesNotContain(found.Problems, p => p.Code == ProblemCodes.TaskletUnsound);
    }

    [Fact]
    public void A_file_describes_a_private_build_without_contracts()
    {
        using var folder = new TemporaryFolder();
        string layout = folder.PathOf("private.json");
        using var run = new TaskletsRun("--situation", "states", "--variant", "shuffled", "--contract", "none", "--layout", layout);
        Holds(run.Truth.Stacks, run.LookWith(layout));
        Assert.NotEmpty(TaskletsComparison.Differences(run.Truth.Stacks, run.LookLive()));
    }

    [Fact]
    public void The_program_has_checked_its_own_tasklets()
    {
        using var run = new TaskletsRun("--situation", "plain");
        // Besides the frames of the truth there is one of the runtime for each stack, and the roots are in the list.
        Assert.Equal(run.Truth.Stacks.Sum(s => s.Frames.Count + 1), run.Truth.Check?.Tasklets);
        Assert.Equal(run.Truth.Stacks.Count, run.Truth.Check?.Listed);
    }

    [Fact]
    public void Ten_thousand_stacks_of_a_hundred_frames_are_four_groups()
    {
        using var run = new TaskletsRun("--stacks", "10000", "--depth", "100");
        StackView found = run.LookLive(coalesce: true);
        Holds(run.Truth.Stacks, found);
        Assert.Equal(10_000, found.Totals.Stacks);
    }

    private static void Holds(IEnumerable<TruthStack> truth, StackView found)
    {
        TaskletsComparison.AssertNone(TaskletsComparison.Differences(truth, found));
        TaskletsComparison.AssertNone(found.Problems.Select(p => p.Text));
        Assert.True(found.Complete);
    }
}
