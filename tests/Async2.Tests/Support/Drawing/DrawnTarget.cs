using System.Collections.Immutable;
using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Members;
using Async2.Analysis.Query;
using Async2.Dump.Dap.Session;

namespace Async2.Tests.Support.Drawing;

/// <summary>A target for an adapter that was drawn. What a test does not say, nobody knows.</summary>
internal sealed class DrawnTarget(StackView snapshot) : IReadTarget
{
    public StackView Snapshot { get; } = snapshot;

    public AsyncModel? Model => null;

    public EqualStacks MembersOf(LogicalStack stack, int start, int count) => new([], 0, []);

    public void Save(Stream file, SnapshotOptions options) => throw new NotSupportedException();

    /// <summary>Told when it is released.</summary>
    public IDisposable? Hold { get; init; }

    public Func<LogicalStack, int, ImmutableArray<LocalValue>> Locals { get; init; } = (stack, frame) => stack.Frames[frame].Locals;

    public Func<ValueParts, int, int, ImmutableArray<LocalValue>> Parts { get; init; } = (_, _, _) => [];

    public Func<string, ulong, LocalValue?> Objects { get; init; } = (_, _) => null;

    public Func<StackSearch, CancellationToken, IReadOnlyList<int>> Search { get; init; } = (_, _) => [];

    public ImmutableArray<LocalValue> LocalsOf(LogicalStack stack, int frame) => Locals(stack, frame);

    public ImmutableArray<LocalValue> PartsOf(ValueParts parts, int start, int count) => Parts(parts, start, count);

    public LocalValue? ObjectAt(string name, ulong address) => Objects(name, address);

    public IReadOnlyList<int> Find(StackSearch search, CancellationToken cancellation) => Search(search, cancellation);

    public void Dispose() => Hold?.Dispose();
}
