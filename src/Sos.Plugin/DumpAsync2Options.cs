using System.Collections.Immutable;
using Async2.Analysis;
using Async2.Analysis.Query;

namespace Async2.Sos;

/// <summary>What was typed behind <c>dumpasync2</c>, and what it means to the library.</summary>
internal sealed class DumpAsync2Options
{
    private const string Waits = "awaiting,blocked,deadlocked";
    private const string Cycles = "deadlocked";

    /// <param name="typed">Filters, limit and grouping as they were typed.</param>
    /// <param name="waiting">Only what waits.</param>
    /// <param name="deadlocks">Only what waits for itself.</param>
    /// <exception cref="QueryException">A value makes no sense.</exception>
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

    /// <summary>The filters as one types them; empty without any.</summary>
    public string FilterText { get; }

    public bool Tasks { get; init; }

    public bool Completed { get; init; }

    public bool Fields { get; init; }

    public bool Stats { get; init; }

    public bool Coalesce { get; init; }

    public bool Json { get; init; }

    /// <summary>What to ask the library for.</summary>
    public AnalysisOptions ForAnalysis => new()
    {
        // What a count stands for has to be looked at object by object, if objects are asked for.
        Coalesce = Coalesce || (Stats && !AsksForObjects),
        Locals = Fields && !Stats,
        PlainTasks = Tasks,
        Completed = Completed,
        AllThreads = true,
        Query = Query,
    };

    private static QueryOption Find(string name) => QueryOptionTable.All.First(option => option.Option == name);

    private bool AsksForObjects => Query.Address is not null || Query.MethodTable is not null || Query.ObjectType is not null;
}
