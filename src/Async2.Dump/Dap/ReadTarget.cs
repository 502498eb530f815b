using System.Collections.Immutable;
using Async2.Analysis;
using Async2.Analysis.Nodes;
using Async2.Analysis.Snapshots;
using Async2.Analysis.Stacks;

namespace Async2.Dump.Dap;

/// <summary>Opens and reads a target.</summary>
internal delegate ReadTarget TargetReading(LaunchArguments arguments, IProgress<AnalysisProgress> progress, CancellationToken cancellation);

/// <summary>A target that was read, and stays open for more questions.</summary>
/// <param name="snapshot">All that was found.</param>
/// <param name="hold">Lets go of it.</param>
internal sealed class ReadTarget(AsyncSnapshot snapshot, IDisposable? hold = null) : IDisposable
{
    public AsyncSnapshot Snapshot { get; } = snapshot;

    /// <summary>Variables of a frame, 0 for the innermost.</summary>
    public Func<LogicalStack, int, ImmutableArray<LocalValue>> LocalsOf { get; init; } = (stack, frame) => stack.Frames[frame].Locals;

    /// <inheritdoc/>
    public void Dispose() => hold?.Dispose();
}
