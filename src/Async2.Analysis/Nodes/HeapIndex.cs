using Async2.Analysis.Layouts;

namespace Async2.Analysis.Nodes;

/// <summary>The async objects of a heap in columns, in address order, with lookup by address.</summary>
internal sealed class HeapIndex
{
    private readonly ContinuationRow[] _continuations;
    private readonly ThunkTaskRow[] _tasks;

    public HeapIndex(RuntimeLayout layout, ContinuationRow[] continuations, ThunkTaskRow[] tasks, long stateMachines, bool complete)
    {
        Array.Sort(continuations, (a, b) => a.Address.CompareTo(b.Address));
        Array.Sort(tasks, (a, b) => a.Address.CompareTo(b.Address));
        Layout = layout;
        _continuations = continuations;
        _tasks = tasks;
        PendingStateMachines = stateMachines;
        Complete = complete;
    }

    /// <summary>Where the fields of these objects are.</summary>
    public RuntimeLayout Layout { get; }

    public ReadOnlySpan<ContinuationRow> Continuations => _continuations;

    /// <summary>ThunkTasks that have not completed. Completed ones are left out: their chains are garbage.</summary>
    public ReadOnlySpan<ThunkTaskRow> Tasks => _tasks;

    /// <summary>Incomplete boxes of classic state machines: async work that is not runtime-async.</summary>
    public long PendingStateMachines { get; }

    /// <summary>False when a part of the heap could not be walked.</summary>
    public bool Complete { get; }

    /// <summary>Index of the continuation at an address; -1 when there is none.</summary>
    /// <param name="address">The object.</param>
    /// <param name="near">Index of the one that pointed here: chains are mostly allocated in a row, so neighbours come first.</param>
    public int FindContinuation(ulong address, int near = -1)
    {
        if (near >= 0)
        {
            if (near + 1 < _continuations.Length && _continuations[near + 1].Address == address)
                return near + 1;
            if (near > 0 && _continuations[near - 1].Address == address)
                return near - 1;
        }
        return Search(_continuations, address, static row => row.Address);
    }

    /// <summary>Index of the incomplete ThunkTask at an address; -1 when there is none.</summary>
    public int FindTask(ulong address) => Search(_tasks, address, static row => row.Address);

    private static int Search<TRow>(TRow[] rows, ulong address, Func<TRow, ulong> key)
    {
        int low = 0, high = rows.Length - 1;
        while (low <= high)
        {
            int middle = (low + high) >>> 1;
            ulong found = key(rows[middle]);
            if (found == address)
                return middle;
            if (found < address)
                low = middle + 1;
            else
                high = middle - 1;
        }
        return -1;
    }
}
