using System.Collections.Immutable;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Query;
using Async2.Analysis.Targets.Contract;

namespace Async2.Dump.Dap.Session;

/// <summary>Opens and reads a target.</summary>
internal delegate ReadTarget TargetReading(LaunchArguments arguments, IProgress<AnalysisProgress> progress, CancellationToken cancellation);

/// <summary>A target that was read, with access to its variables. Without access, frames have the variables that were read with them.</summary>
/// <param name="snapshot">The answer.</param>
internal sealed class ReadTarget(StackView snapshot) : IDisposable
{
    public StackView Snapshot { get; } = snapshot;

    /// <summary>Closes the target.</summary>
    public IDisposable? Hold { get; init; }

    /// <summary>Variables of a frame, 0 for the innermost.</summary>
    public Func<LogicalStack, int, ImmutableArray<LocalValue>> LocalsOf { get; init; } = (stack, frame) => stack.Frames[frame].Locals;

    /// <summary>Some of the parts of a value.</summary>
    public Func<ValueParts, int, int, ImmutableArray<LocalValue>> PartsOf { get; init; } = (_, _, _) => [];

    /// <summary>An object at an address, under a name.</summary>
    public Func<string, ulong, LocalValue?> ObjectAt { get; init; } = (_, _) => null;

    /// <summary>Indexes of the stacks that a search matches.</summary>
    public Func<StackSearch, CancellationToken, IReadOnlyList<int>> Find { get; init; } = (_, _) => [];

    /// <inheritdoc/>
    public void Dispose() => Hold?.Dispose();
}
