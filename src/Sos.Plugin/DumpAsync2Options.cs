using System.Collections.Immutable;
using System.Globalization;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis;

namespace Async2.Sos;

/// <summary>What was typed behind <c>dumpasync2</c>, and what it means to the library.</summary>
internal sealed record DumpAsync2Options
{
    // One list for all: lists are the same question only if they are the same list.
    private static readonly ImmutableArray<StackState> Waits = [StackState.Awaiting, StackState.Blocked, StackState.Deadlocked];
    private static readonly ImmutableArray<StackState> Circles = [StackState.Deadlocked];

    public string? Address { get; init; }

    public string? MethodTable { get; init; }

    public string? Type { get; init; }

    public bool Tasks { get; init; }

    public bool Completed { get; init; }

    public bool Fields { get; init; }

    public bool Stats { get; init; }

    public bool Coalesce { get; init; }

    public bool Waiting { get; init; }

    public bool Deadlocks { get; init; }

    public string? Limit { get; init; }

    public bool Json { get; init; }

    /// <summary>Objects are asked for one by one.</summary>
    public bool AsksForObjects => Address is not null || MethodTable is not null || Type is not null;

    /// <summary>The filters as one types them; empty without any.</summary>
    public string FilterText
    {
        get
        {
            string?[] parts =
            [
                Address is null ? null : "--address " + Address.Trim(),
                MethodTable is null ? null : "--methodtable " + MethodTable.Trim(),
                Type is null ? null : "--type " + Type.Trim(),
                Waiting ? "--waiting" : null,
                Deadlocks ? "--deadlocks" : null,
            ];
            return string.Join(' ', parts.OfType<string>());
        }
    }

    /// <summary>What to ask the library for.</summary>
    /// <exception cref="QueryException">A value makes no sense.</exception>
    public AnalysisOptions ForAnalysis() => new()
    {
        // What a count stands for has to be looked at object by object, if objects are asked for.
        Coalesce = Coalesce || (Stats && !AsksForObjects),
        Locals = Fields && !Stats,
        PlainTasks = Tasks,
        Completed = Completed,
        Query = new StackQuery
        {
            Address = Address is null ? null : QueryValue.Address("--address", Address),
            MethodTable = MethodTable is null ? null : QueryValue.Address("--methodtable", MethodTable),
            ObjectType = Type is null ? null : QueryValue.Name("--type", Type),
            States = Deadlocks ? Circles : Waiting ? Waits : [],
        },
    };

    /// <summary>The limit, checked.</summary>
    /// <exception cref="QueryException">It is none.</exception>
    public int? CheckedLimit => Limit is null ? null
        : int.TryParse(Limit, NumberStyles.None, CultureInfo.InvariantCulture, out int number) && number > 0 ? number
        : throw new QueryException($"--limit wants a number from 1 on, not '{Limit}'", "type --limit 20");
}
