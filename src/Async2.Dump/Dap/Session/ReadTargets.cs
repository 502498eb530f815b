using System.Collections.Immutable;
using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Members;
using Async2.Analysis.Query;

namespace Async2.Dump.Dap.Session;

/// <summary>A target that stays open, as long as somebody looks at it.</summary>
/// <param name="reading">The target and what was found.</param>
/// <param name="arguments">How it is shown.</param>
internal sealed class OpenTarget(Reading<AnalyzedTarget> reading, LaunchArguments arguments) : IReadTarget
{
    // Enough to say how far values differ; reading more takes seconds.
    private const int MembersRead = 1000;

    private readonly AnalyzedTarget _found = reading.Answer;

    /// <inheritdoc/>
    public StackView Snapshot { get; } = reading.With(reading.Answer.Snapshot);

    /// <inheritdoc/>
    public AsyncModel? Model => _found.Model;

    /// <inheritdoc/>
    public EqualStacks MembersOf(LogicalStack stack, int start, int count) => _found.MembersOf(stack, start, count, MembersRead);

    /// <inheritdoc/>
    public void Save(Stream file, SnapshotOptions options) => SnapshotFile.Write(_found, file, options with { Note = reading.Again });

    /// <inheritdoc/>
    public ImmutableArray<LocalValue> LocalsOf(LogicalStack stack, int frame) => _found.LocalsOf(stack, frame);

    /// <inheritdoc/>
    public ImmutableArray<LocalValue> PartsOf(ValueParts parts, int start, int count) => _found.PartsOf(parts, start, count);

    /// <inheritdoc/>
    public LocalValue? ObjectAt(string name, ulong address) => _found.ObjectAt(name, address);

    // Asks the model; the target is not read again.
    /// <inheritdoc/>
    public IReadOnlyList<int> Find(StackSearch search, CancellationToken cancellation)
        => search.In(_found.Model, _found.Snapshot, includeFramework: !arguments.JustMyCode, cancellation);

    /// <inheritdoc/>
    public void Dispose() => reading.Target.Dispose();
}

/// <summary>A target that is closed: a snapshot file, or a process that runs on. Frames have the variables that were read with them.</summary>
/// <param name="model">All that was read.</param>
/// <param name="snapshot">What is shown of it.</param>
/// <param name="arguments">How it is shown.</param>
/// <param name="file">Has variables; null where the frames have them.</param>
internal sealed class ClosedTarget(AsyncModel model, StackView snapshot, LaunchArguments arguments, SavedSnapshot? file = null) : IReadTarget
{
    // A process that was read at once has its variables in the frames of the answer only.
    private readonly SavedSnapshot _saved = file ?? SavedSnapshot.Of(model);

    /// <inheritdoc/>
    public StackView Snapshot => snapshot;

    /// <inheritdoc/>
    public AsyncModel? Model => model;

    /// <inheritdoc/>
    public EqualStacks MembersOf(LogicalStack stack, int start, int count) => _saved.MembersOf(stack, start, count, int.MaxValue);

    /// <inheritdoc/>
    public void Save(Stream saved, SnapshotOptions options) => SnapshotFile.Write(_saved, saved, options);

    /// <inheritdoc/>
    public ImmutableArray<LocalValue> LocalsOf(LogicalStack stack, int frame) => file is null ? stack.Frames[frame].Locals : file.LocalsOf(stack, frame);

    /// <inheritdoc/>
    public ImmutableArray<LocalValue> PartsOf(ValueParts parts, int start, int count) => [];

    /// <inheritdoc/>
    public LocalValue? ObjectAt(string name, ulong address) => null;

    /// <inheritdoc/>
    public IReadOnlyList<int> Find(StackSearch search, CancellationToken cancellation)
        => search.In(model, snapshot, includeFramework: !arguments.JustMyCode, cancellation);

    /// <inheritdoc/>
    public void Dispose()
    {
    }
}
