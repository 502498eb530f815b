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

    /// <summary>
    /// Tells of so many of equal stacks what each has for itself, and how far their values differ: <see cref="LogicalStack.Equal"/>. With <see cref="Locals"/>
    /// that reads the variables of all of them. 0 for none.
    /// </summary>
    public int Members { get; init; }

    /// <summary>Includes stacks of pending tasks without an async method, if something waits for them.</summary>
    public bool PlainTasks { get; init; }

    /// <summary>Includes completed tasks of async methods that are still on the heap; with <see cref="PlainTasks"/> any completed task.</summary>
    public bool Completed { get; init; }

    /// <summary>
    /// Also reads tasks that are asked for by <see cref="PlainTasks"/> and <see cref="Completed"/> only, so that a later question about them is answered from
    /// what was read; unless there are more than 100,000. Hosts that ask often set this from the beginning.
    /// </summary>
    public bool KeepsTasks { get; init; }

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
    /// Whether an answer read with these options has all data that other options need. Variables are always read when they are asked for; but for who asks
    /// for them, long texts of waits, such as SQL, are read whole.
    /// </summary>
    /// <param name="other">The other options.</param>
    /// <param name="hasLongTexts">Some wait has such a text.</param>
    internal bool Cover(AnalysisOptions other, bool hasLongTexts)
        => (LayoutFile, Deep, Values) == (other.LayoutFile, other.Deep, other.Values) && (Locals == other.Locals || !hasLongTexts)
            && (PlainTasks || !other.PlainTasks) && (Completed || !other.Completed) && (ReadsAllThreads || !other.ReadsAllThreads);

    /// <summary>How the stacks are shown.</summary>
    internal ViewOptions ForView(IFrameVariables? variables)
        => new() { Coalesce = Coalesce, IncludeFramework = IncludeFramework, PlainTasks = PlainTasks, Completed = Completed, Variables = variables, Members = Members };
}
