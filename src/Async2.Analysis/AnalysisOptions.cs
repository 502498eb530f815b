using Async2.Analysis.Model;
using Async2.Analysis.Model.Labels;
using Async2.Analysis.Query;
using Async2.Analysis.Query.Answers;

namespace Async2.Analysis;

/// <summary>What the analysis should read; options that only concern display belong to renderers.</summary>
public sealed record AnalysisOptions
{
    /// <summary>Groups stacks with the same frames, with a count.</summary>
    public bool Coalesce { get; init; } = true;

    /// <summary>Keeps the runtime's own frames (awaiter helpers, thunks of awaited framework calls), which are folded by default.</summary>
    public bool IncludeFramework { get; init; }

    /// <summary>Reads arguments and locals of the frames that are shown.</summary>
    public bool Locals { get; init; }

    /// <summary>Includes stacks of pending tasks without an async method, if something waits for them.</summary>
    public bool PlainTasks { get; init; }

    /// <summary>Includes completed tasks of async methods that are still on the heap; with <see cref="PlainTasks"/> any completed task.</summary>
    public bool Completed { get; init; }

    /// <summary>File that describes the runtime's layout (docs/layouts.md), used before all other sources; null for none.</summary>
    public string? LayoutFile { get; init; }

    /// <summary>Which stacks to keep; all without filters.</summary>
    public StackQuery Query { get; init; } = new();

    /// <summary>
    /// Also reads threads without any async operation. They are shown only if <see cref="StackQuery.Thread"/> names one,
    /// which reads them in any case; hosts that ask often set this from the beginning.
    /// </summary>
    public bool AllThreads { get; init; }

    /// <summary>
    /// Searches the whole heap for waits that nothing can end: true does so in any case and for as long as it takes, false never; null if a stack waits
    /// for something of which that can be told, and within limits.
    /// </summary>
    public bool? Deep { get; init; }

    /// <summary>
    /// Also reads what tells equal stacks apart (a number for the variables of each), so that the model can be compared with another one of the process.
    /// </summary>
    public bool Comparable { get; init; }

    /// <summary>How much of people's data is in the answer: of labels, and of what stacks wait for.</summary>
    public ShownValues Values { get; init; }

    /// <summary>The same process, read some time before; null for one look. Findings use what has moved since, and stacks say for how long they have not.</summary>
    public AsyncModel? Earlier { get; init; }

    /// <summary>The options for a snapshot: everything that may be queried later.</summary>
    /// <param name="locals">Includes variables.</param>
    public static AnalysisOptions ForSnapshot(bool locals) => new() { PlainTasks = true, Completed = true, AllThreads = true, Comparable = true, Locals = locals };

    internal bool ReadsAllThreads => AllThreads || Query.Thread is not null;

    /// <summary>
    /// Whether an answer read with these options has all data that other options need. Tasks that are done, or have no async method, are read only for
    /// who asks for them: each would be a row of every first answer, and a heap has millions. With variables, long texts of waits, such as SQL, are read whole.
    /// </summary>
    internal bool Cover(AnalysisOptions other)
        => (PlainTasks, Completed, LayoutFile, Locals, Deep, Values) == (other.PlainTasks, other.Completed, other.LayoutFile, other.Locals, other.Deep, other.Values) && (ReadsAllThreads || !other.ReadsAllThreads);

    /// <summary>How the stacks are shown.</summary>
    internal ViewOptions ForView(IFrameVariables? variables)
        => new() { Coalesce = Coalesce, IncludeFramework = IncludeFramework, PlainTasks = PlainTasks, Completed = Completed, Variables = variables };
}
