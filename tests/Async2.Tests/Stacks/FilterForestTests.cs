using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Tests.Support.Drawing;
using FsCheck;
using FsCheck.Fluent;

namespace Async2.Tests.Stacks;

/// <summary>Filters on random heaps: each stack is let through or not whatever it is grouped with.</summary>
public sealed class FilterForestTests
{
    /// <summary>Each chain: which of a few methods its frames are, and the chain that it waits for; modulo what there is.</summary>
    private static Arbitrary<(byte Methods, ushort Awaits)[]> Chains => ArbMap.Default.ArbFor<(byte, ushort)[]>();

    public static TheoryData<string, string> Filters => new()
    {
        { "A", "" }, { "", "A" }, { "B", "C" }, { "^nothing", "" }, { "", "^nothing" },
    };

    [Theory]
    [MemberData(nameof(Filters))]
    public void Filtering_then_coalescing_is_coalescing_what_matches(string with, string without) => Holds(chains =>
    {
        AnalysisOptions options = Options(with, without);
        StackView together = Draw(chains).Stacks(options);
        LogicalStack[] matching = [.. Draw(chains).Stacks(new AnalysisOptions { Coalesce = false }).Stacks.Where(stack => Matches(stack, with, without))];
        return Counts(together.Stacks).SequenceEqual(Counts(matching))
            && together.Matching!.Totals == new SnapshotTotals(matching.Length, matching.Sum(s => s.Frames.Count), together.Stacks.Length)
            && together.Totals == Draw(chains).Stacks().Totals;
    });

    [Theory]
    [MemberData(nameof(Filters))]
    public void The_named_thread_is_shown(string with, string without) => Holds(chains =>
    {
        StackView found = Draw(chains).Stacks(Options(with, without));
        HashSet<string> shown = [.. found.Stacks.Select(s => s.Id)];
        return found.Stacks.All(s => s.AwaitedBy.All(shown.Contains) && (s.WaitingOn?.Stack is not { } awaited || shown.Contains(awaited)));
    });

    [Theory]
    [MemberData(nameof(Filters))]
    public void Addresses_of_objects_do_not_matter(string with, string without) => Holds(chains =>
        Draw(chains).Show(Options(with, without)) == Draw(chains, new Random(chains.Length)).Show(Options(with, without)));

    private static AnalysisOptions Options(string with, string without) => new()
    {
        Query = new StackQuery
        {
            With = with.Length == 0 ? [] : [TextPattern.Parse("--with", with)],
            Without = without.Length == 0 ? [] : [TextPattern.Parse("--without", without)],
        },
    };

    private static bool Matches(LogicalStack stack, string with, string without)
        => (with.Length == 0 || stack.Frames.Any(f => f.Method.Contains(with)))
            && (without.Length == 0 || !stack.Frames.Any(f => f.Method.Contains(without)));

    private static IEnumerable<(string, long)> Counts(IEnumerable<LogicalStack> stacks) => stacks
        .GroupBy(s => $"{s.State} {string.Join('<', s.Frames.Select(f => f.Method))}")
        .Select(same => (same.Key, same.Sum(s => s.Count)))
        .OrderBy(same => same.Key, StringComparer.Ordinal);

    private static TextHeap Draw((byte Methods, ushort Awaits)[] chains, Random? shuffle = null) => TextHeap.Draw(
        string.Join('\n', chains.Select((chain, i) => $"""
            t{i} ThunkTask -> c{i} ; c{i} Continuation M.{(char)('A' + (chain.Methods % 4))} -> d{i} ; d{i} Continuation M.{(char)('A' + (chain.Methods / 4 % 4))} -> end
            t{i} awaitedBy {string.Join(' ', Enumerable.Range(0, chains.Length).Where(w => (chains[w].Awaits % (chains.Length + 1)) - 1 == i).Select(w => $"t{w}"))}
            """)), shuffle);

    private static void Holds(Func<(byte Methods, ushort Awaits)[], bool> property)
        => Check.One(Config.QuickThrowOnFailure.WithQuietOnSuccess(true).WithReplay(20261121, 1).WithMaxTest(150).WithEndSize(40), Prop.ForAll(Chains, property));
}
