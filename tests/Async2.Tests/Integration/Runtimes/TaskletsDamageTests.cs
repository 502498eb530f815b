using Async2.Analysis.Query;
using Async2.Tests.Support;

namespace Async2.Tests.Integration.Runtimes;

/// <summary>One thing is wrong with one tasklet in the middle of a stack: it is named, and all that is sound is shown.</summary>
[Trait("Category", "Integration")]
public sealed class TaskletsDamageTests
{
    /// <summary>Kinds of damage.</summary>
    public static TheoryData<string> Kinds =>
    [
        "stack-cycle", "stack-garbage", "list-garbage", "object-count", "object-beyond", "byref-count", "byref-beyond", "stack-unreadable",
        "info-unreadable", "return-address", "registers-endless", "return-type", "generation", "ip-zero", "ip-native", "ip-freed",
        "sentinel-null", "contract-32bit", "contract-cut",
    ];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Damage_is_reported_and_the_rest_is_shown(string kind)
    {
        using var run = new TaskletsRun("--damage", kind);
        TruthDamage damage = run.Truth.Damage!;
        StackView found = run.LookLive();
        Assert.Contains(found.Problems, p => p.Text.Contains(damage.Rule, StringComparison.Ordinal));

        TaskletsComparison.AssertNone(TaskletsComparison.Differences(run.Truth.Stacks.SelectMany(s => s.Stack == damage.Stack ? Left(s, damage) : [s]), found));
    }

    // What is left of the stack: nothing that the damaged tasklet says of its frame, and all that others say.
    private static IEnumerable<TruthStack> Left(TruthStack stack, TruthDamage damage)
    {
        TruthFrame own = stack.Frames[damage.Frame] with { Locals = null };
        if (damage.Rule == "restore-ip")
            own = own with { Method = "", File = "", Line = 0 };
        TruthFrame[] inner = [.. stack.Frames.Take(damage.Frame)], outer = [.. stack.Frames.Skip(damage.Frame + 1)];
        // The runtime's list leads to callers that their callee does not lead to any more.
        return damage.Rule == "stack-link"
            ? [stack with { Frames = [.. inner, own] }, stack with { Frames = outer, State = null, Leaf = null }]
            : [stack with { Frames = [.. inner, own, .. outer] }];
    }
}
