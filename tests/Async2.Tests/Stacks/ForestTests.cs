using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Tests.Support.Drawing;
using FsCheck;
using FsCheck.Fluent;

namespace Async2.Tests.Stacks;

/// <summary>What holds for every heap, tried on random ones; a heap that breaks it is made small and shown.</summary>
public sealed class ForestTests
{
    /// <summary>Frames of the chain (0: it cannot be seen) and the chain that it waits for, both to be taken modulo what there is.</summary>
    private static Arbitrary<(byte Depth, ushort Awaits)[]> Chains => ArbMap.Default.ArbFor<(byte, ushort)[]>();

    [Fact]
    public void Every_frame_of_every_chain_is_in_one_stack_once() => Holds(chains =>
    {
        StackView found = Draw(chains).Stacks(new AnalysisOptions { Coalesce = false });
        string[] shown = [.. found.Stacks.SelectMany(s => s.Frames).Select(f => f.Method)];
        string[] drawn = [.. chains.SelectMany((_, i) => Frames(chains, i))];
        return shown.Order(StringComparer.Ordinal).SequenceEqual(drawn.Order(StringComparer.Ordinal))
            && found.Totals == new SnapshotTotals(found.Stacks.Length, drawn.Length, found.Stacks.Length);
    });

    [Fact]
    public void Frames_of_a_chain_stay_together_and_a_chain_follows_one_that_it_waits_for() => Holds(chains =>
        Draw(chains).Stacks(new AnalysisOptions { Coalesce = false }).Stacks.All(stack =>
        {
            int[] path = [.. stack.Frames.Select(f => ChainOf(f.Method)).Distinct()];
            return stack.Frames.Select(f => f.Method).SequenceEqual(path.SelectMany(i => Frames(chains, i)))
                && path.Skip(1).Zip(path).All(pair => LeadsTo(chains, pair.First, pair.Second));
        }));

    [Fact]
    public void Exactly_the_chains_in_cycles_are_deadlocked() => Holds(chains =>
        Draw(chains).Stacks(new AnalysisOptions { Coalesce = false }).Stacks.All(stack =>
            stack.Frames.All(f => LeadsTo(chains, ChainOf(f.Method), ChainOf(f.Method)) == (stack.State == StackState.Deadlocked))));

    [Fact]
    public void Coalescing_loses_no_stack() => Holds(chains =>
    {
        StackView apart = Draw(chains, names: 2).Stacks(new AnalysisOptions { Coalesce = false }), together = Draw(chains, names: 2).Stacks();
        return together.Stacks.Sum(s => s.Count) == apart.Stacks.Length
            && together.Totals.Stacks == apart.Totals.Stacks && together.Totals.Frames == apart.Totals.Frames
            && together.Stacks.Sum(s => s.Count * s.Frames.Count) == apart.Totals.Frames;
    });

    [Fact]
    public void Addresses_of_objects_do_not_matter() => Holds(chains =>
        Draw(chains).Show() == Draw(chains, shuffle: new Random(chains.Length)).Show());

    /// <summary>Here the second number is a pointer to anywhere: chains come back to themselves and run into each other.</summary>
    [Fact]
    public void Invalid_pointers_never_show_a_continuation_twice() => Holds(nodes =>
    {
        var heap = TextHeap.Draw(string.Join('\n', nodes.Select((node, i) => (node.Depth % 3) switch
        {
            0 => $"x{i} ThunkTask -> x{node.Awaits % nodes.Length}",
            1 => $"x{i} ThunkTask -> x{node.Awaits % nodes.Length} ; x{i} awaitedBy x{node.Awaits % nodes.Length} x{node.Depth % nodes.Length}",
            _ => $"x{i} Continuation M{i} -> x{node.Awaits % nodes.Length}",
        })));
        StackView found = heap.Stacks(new AnalysisOptions { Coalesce = false });
        ulong[] addresses = [.. found.Stacks.SelectMany(s => s.Frames).Select(f => f.Address!.Value)];
        return addresses.Distinct().Count() == addresses.Length && found.Stacks.Length <= heap.Index.Nodes.Length;
    });

    // The same heaps in each run: a test must not be red on one day only.
    private static Config Always => Config.QuickThrowOnFailure.WithQuietOnSuccess(true).WithReplay(20261121, 1);

    private static void Holds(Func<(byte Depth, ushort Awaits)[], bool> property)
        => Check.One(Always.WithMaxTest(200).WithEndSize(60), Prop.ForAll(Chains, property));

    private static TextHeap Draw((byte Depth, ushort Awaits)[] chains, int names = int.MaxValue, Random? shuffle = null) => TextHeap.Draw(
        string.Join('\n', Enumerable.Range(0, chains.Length).SelectMany(i => Statements(chains, i, names))), shuffle);

    private static IEnumerable<string> Statements((byte Depth, ushort Awaits)[] chains, int i, int names)
    {
        string[] frames = [.. Frames(chains, i % names)];
        yield return $"t{i} ThunkTask -> {(frames.Length == 0 ? "null" : $"c{i}.0")}";
        for (int k = 0; k < frames.Length; k++)
            yield return $"c{i}.{k} Continuation {frames[k]} -> {(k + 1 < frames.Length ? $"c{i}.{k + 1}" : "end")}";
        yield return $"t{i} awaitedBy {string.Join(' ', Enumerable.Range(0, chains.Length).Where(w => AwaitedBy(chains, w) == i).Select(w => $"t{w}"))}";
    }

    private static IEnumerable<string> Frames((byte Depth, ushort Awaits)[] chains, int i)
        => Enumerable.Range(0, chains[i].Depth % 4).Select(k => $"Chain{i}.Frame{k}");

    private static int ChainOf(string method) => int.Parse(method["Chain".Length..method.IndexOf('.', StringComparison.Ordinal)]);

    /// <summary>-1 for nothing, which is as likely as any one chain.</summary>
    private static int AwaitedBy((byte Depth, ushort Awaits)[] chains, int waiter) => (chains[waiter].Awaits % (chains.Length + 1)) - 1;

    // Through chains that cannot be seen, too.
    private static bool LeadsTo((byte Depth, ushort Awaits)[] chains, int waiter, int wanted)
    {
        int node = AwaitedBy(chains, waiter);
        for (int i = 0; i < chains.Length && node >= 0 && node != wanted; i++)
            node = AwaitedBy(chains, node);
        return node == wanted;
    }
}
