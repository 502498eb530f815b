using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Query.Answers;

namespace Async2.Analysis;

/// <summary>What the analysis should keep; everything that only concerns display is left to renderers.</summary>
public sealed record AnalysisOptions
{
    /// <summary>Stacks with the same frames become one with a count.</summary>
    public bool Coalesce { get; init; } = true;

    /// <summary>Keeps the runtime's own frames (awaiter helpers, thunks of awaited framework calls), which are folded otherwise.</summary>
    public bool IncludeFramework { get; init; }

    /// <summary>Reads arguments and locals of the frames that are shown.</summary>
    public bool Locals { get; init; }

    /// <summary>Stacks of pending tasks without an async method among those who wait for them, too.</summary>
    public bool PlainTasks { get; init; }

    /// <summary>Completed tasks of async methods, too, as long as they are on the heap; with <see cref="PlainTasks"/> any.</summary>
    public bool Completed { get; init; }

    /// <summary>File that describes the runtime's layout (docs/layouts.md), believed before all else; null for none.</summary>
    public string? LayoutFile { get; init; }

    /// <summary>Which stacks to keep; all unless it filters.</summary>
    public StackQuery Query { get; init; } = new();

    /// <summary>
    /// Reads threads that have to do with no async operation, too. They are shown only when <see cref="StackQuery.Thread"/> asks for one,
    /// which has them read in any case; who asks often says it at once.
    /// </summary>
    public bool AllThreads { get; init; }

    /// <summary>What a snapshot is taken with: all that somebody may ask of it later.</summary>
    /// <param name="locals">Variables, too.</param>
    public static AnalysisOptions ForSnapshot(bool locals) => new() { PlainTasks = true, Completed = true, AllThreads = true, Locals = locals };

    internal bool ReadsAllThreads => AllThreads || Query.Thread is not null;

    /// <summary>Whether what these options had read has all that others need.</summary>
    internal bool Cover(AnalysisOptions other)
        => (PlainTasks, Completed, LayoutFile, Locals) == (other.PlainTasks, other.Completed, other.LayoutFile, other.Locals) && (ReadsAllThreads || !other.ReadsAllThreads);

    /// <summary>How the stacks are shown.</summary>
    internal ViewOptions ForView(IFrameVariables? variables)
        => new() { Coalesce = Coalesce, IncludeFramework = IncludeFramework, PlainTasks = PlainTasks, Completed = Completed, Variables = variables };
}
