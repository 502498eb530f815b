using System.Globalization;
using Async2.Analysis;
using Async2.Analysis.Code.Suspension;
using Async2.Analysis.Layouts;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Nodes;
using Async2.Analysis.Query;
using Async2.Analysis.Stacks.Frames;
using Async2.Analysis.Targets.Contract;

namespace Async2.Tests.Support.Drawing;

/// <summary>Big regular heaps, made without text. All frames are one method's, so only the number of things counts.</summary>
/// <param name="Index">The objects.</param>
/// <param name="WaiterOf">Position of the tasks that wait for a task, by its position.</param>
internal sealed record BulkHeap(HeapIndex Index, Func<int, IEnumerable<int>> WaiterOf)
{
    private const ulong FirstTask = 0x1000_0000;
    private const ulong FirstContinuation = 0x10_0000_0000;
    private const ulong ObjectSize = 0x40;

    /// <param name="tasks">How many.</param>
    /// <param name="depth">Frames of each chain.</param>
    /// <param name="waitersOf">Who waits for whom.</param>
    public static BulkHeap Chains(int tasks, int depth, Func<int, IEnumerable<int>> waitersOf)
    {
        var continuations = new ContinuationRow[tasks * depth];
        for (int i = 0; i < continuations.Length; i++)
            continuations[i] = Continuation(i, isLast: (i + 1) % depth == 0);
        return Of(continuations, Enumerable.Range(0, tasks).Select(i => i * depth), waitersOf);
    }

    /// <summary>Chains of which hardly two are alike: each frame is one of so many methods, and lies anywhere.</summary>
    public static BulkHeap DistinctChains(int tasks, int depth, int methods)
    {
        var random = new Random(7);
        int[] places = [.. Enumerable.Range(0, tasks * depth)];
        random.Shuffle(places);
        var continuations = new ContinuationRow[places.Length];
        for (int i = 0; i < places.Length; i++)
            continuations[i] = new(ContinuationAt(places[i]), (i + 1) % depth == 0 ? 0 : ContinuationAt(places[i + 1]), new(1, (uint)random.Next(methods)), 0, 0);
        return Of(continuations, Enumerable.Range(0, tasks).Select(i => places[i * depth]), _ => []);
    }

    /// <summary>One deep chain, and as many tasks that all claim it as theirs.</summary>
    public static BulkHeap SharedChain(int depth)
        => Of([.. Enumerable.Range(0, depth).Select(i => Continuation(i, i == depth - 1))], Enumerable.Range(0, depth), _ => []);

    public StackView Stacks(bool coalesce = true, StackQuery? query = null)
        => DrawnModel.Ask(new(Index), new Source(WaiterOf), new AnalysisOptions { Coalesce = coalesce, Query = query ?? new() }, new ProblemLog());

    public AsyncModel Model() => DrawnModel.Of(new(Index), new Source(WaiterOf), new ProblemLog());

    private sealed class Source(Func<int, IEnumerable<int>> waiterOf) : DrawnSource
    {
        public override IFrameSource Frames { get; } = new Methods();

        public override bool ReadAwaiters(ulong continuationObject, List<ulong> found)
        {
            found.AddRange(waiterOf((int)((continuationObject - FirstTask) / ObjectSize)).Select(TaskAt));
            return true;
        }
    }

    private sealed class Methods : DrawnFrames
    {
        public override SuspensionPoint PointAt(Site site) => new() { ILOffset = (int)site.State };

        public override (LogicalFrame Frame, FrameOrigin Origin) Show(SuspensionPoint point, ulong context) => (Frame(point.ILOffset ?? 0), FrameOrigin.User);
    }

    private static LogicalFrame Frame(int method) => new()
    {
        Kind = FrameKind.Continuation,
        Method = method == 0 ? "Shop.Pay" : string.Create(CultureInfo.InvariantCulture, $"Shop.Orders.Handler{method % 97}.Step{method}Async(int, string)"),
        File = method == 0 ? null : string.Create(CultureInfo.InvariantCulture, $"/src/shop/Orders/Handler{method % 97}.cs"),
        Line = method == 0 ? null : method,
    };

    private static BulkHeap Of(ContinuationRow[] continuations, IEnumerable<int> heads, Func<int, IEnumerable<int>> waitersOf)
    {
        NodeRow[] tasks = [.. heads.Select((head, i) => NodeRow.Chain(TaskAt(i), 0, ContinuationAt(head), TaskAt(i)))];
        return new(new HeapIndex(new RuntimeLayout(null, null), FrameColumns.Of(continuations), tasks, [], [], complete: true), waitersOf);
    }

    private static ContinuationRow Continuation(int i, bool isLast) => new(ContinuationAt(i), isLast ? 0 : ContinuationAt(i + 1), new(1, 0), 0, 0);

    private static ulong TaskAt(int i) => FirstTask + ((ulong)i * ObjectSize);

    private static ulong ContinuationAt(int i) => FirstContinuation + ((ulong)i * ObjectSize);
}
