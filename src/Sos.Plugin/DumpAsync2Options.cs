using System.Collections.Immutable;
using Async2.Analysis;
using Async2.Analysis.Query;

namespace Async2.Sos;

/// <summary>The options of <c>dumpasync2</c>, translated for the library.</summary>
internal sealed class DumpAsync2Options
{
    private const string Waits = "awaiting,blocked,deadlocked";
    private const string Cycles = "deadlocked";

    /// <param name="typed">Filters, limit and grouping as typed.</param>
    /// <param name="waiting">Only waiting stacks.</param>
    /// <param name="deadlocks">Only deadlocked stacks.</param>
    /// <exception cref="QueryException">A value is not valid.</exception>
    public DumpAsync2Options(IEnumerable<(string Option, string Text)> typed, bool waiting, bool deadlocks)
    {
        var filters = ImmutableArray.CreateBuilder<string>();
        foreach ((string name, string text) in typed)
        {
            QueryOption option = Find(name);
            Query = option.Apply(Query, name, text);
            if (option.IsFilter)
                filters.Add($"{name} {text.Trim()}");
        }
        if (waiting)
            AddStates("--waiting", Waits);
        if (deadlocks)
            AddStates("--deadlocks", Cycles);
        FilterText = string.Join(' ', filters);

        void AddStates(string name, string states)
        {
            Query = Find("--state").Apply(Query, name, states);
            filters.Add(name);
        }
    }

    /// <summary>Which stacks, and how many.</summary>
    public StackQuery Query { get; private set; } = new();

    /// <summary>The filters as typed; empty without any.</summary>
    public string FilterText { get; }

    public bool Tasks { get; init; }

    public bool Completed { get; init; }

    public bool Fields { get; init; }

    public bool Stats { get; init; }

    public bool Coalesce { get; init; }

    public bool Json { get; init; }

    public bool Findings { get; init; }

    public bool? Deep { get; init; }

    /// <summary>The options of the analysis.</summary>
    public AnalysisOptions ForAnalysis => new()
    {
        // If types are requested, every object of a group has to be checked.
        Coalesce = Coalesce || (Stats && !AsksForObjects),
        Locals = Fields && !Stats,
        PlainTasks = Tasks,
        Completed = Completed,
        Deep = Deep,
        AllThreads = true,
        KeepsTasks = true,
        Query = Query,
    };

    private static QueryOption Find(string name) => QueryOptionTable.All.First(option => option.Option == name);

    private bool AsksForObjects => Query.Address is not null || Query.MethodTable is not null || Query.ObjectType is not null;
}
