using System.Collections.Immutable;
using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Members;
using Async2.Analysis.Query;
using Async2.Analysis.Targets.Contract;

namespace Async2.Dump.Dap.Session;

/// <summary>Opens and reads a target.</summary>
internal delegate IReadTarget TargetReading(LaunchArguments arguments, IProgress<AnalysisProgress> progress, CancellationToken cancellation);

/// <summary>A target that was read, and answers for its variables. Disposing it releases it.</summary>
internal interface IReadTarget : IDisposable
{
    /// <summary>All that is shown of it.</summary>
    StackView Snapshot { get; }

    /// <summary>All that was read of it; null if that is not known: then looks are not compared.</summary>
    AsyncModel? Model { get; }

    /// <summary>What each of equal stacks has for itself.</summary>
    EqualStacks MembersOf(LogicalStack stack, int start, int count);

    /// <summary>Writes it as a snapshot.</summary>
    void Save(Stream file, SnapshotOptions options);

    /// <summary>Variables of a frame, 0 for the innermost.</summary>
    ImmutableArray<LocalValue> LocalsOf(LogicalStack stack, int frame);

    /// <summary>Some of the parts of a value; none where nobody can be asked.</summary>
    ImmutableArray<LocalValue> PartsOf(ValueParts parts, int start, int count);

    /// <summary>An object by its address, under a name; null where there is none, or nobody can be asked.</summary>
    LocalValue? ObjectAt(string name, ulong address);

    /// <summary>Indexes of the stacks that a search means.</summary>
    IReadOnlyList<int> Find(StackSearch search, CancellationToken cancellation);
}
