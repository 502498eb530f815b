using Async2.Analysis.Code;
using Async2.Analysis.Nodes;
using Async2.Analysis.Nodes.Threads;

namespace Async2.Analysis.Stacks;

/// <summary>
/// One entry for each distinct frame: the same method, place and instantiation. Stacks are sequences of these numbers until
/// somebody wants to see one, so a million frames cost a million numbers.
/// </summary>
internal sealed class FrameTable(FrameSource source)
{
    private readonly Dictionary<(ulong Resume, uint State, ulong Context), int> _ids = [];
    private readonly Dictionary<(ulong Resume, uint State), SuspensionPoint> _points = [];
    private readonly Dictionary<(ulong MethodTable, int State), int> _machines = [];
    private readonly Dictionary<ThreadFrame, int> _physical = [];
    private readonly Dictionary<(LogicalFrame Frame, FrameOrigin Origin), int> _byFrame = [];
    private readonly List<FrameEntry> _entries = [];

    public FrameEntry this[int id] => _entries[id];

    /// <summary>Number of the frame that a continuation stands for.</summary>
    public int IdOf(in ContinuationRow row)
    {
        if (!_points.TryGetValue((row.Resume, row.State), out SuspensionPoint? point))
            _points[(row.Resume, row.State)] = point = source.PointAt(row.Resume, row.State);
        ulong context = source.ContextOf(point, row);
        if (!_ids.TryGetValue((row.Resume, row.State, context), out int id))
        {
            (LogicalFrame frame, FrameOrigin origin) = source.Show(point, context);
            _ids[(row.Resume, row.State, context)] = id = Intern(new FrameEntry(frame, origin) { Point = point });
        }
        return id;
    }

    /// <summary>Number of the frame that a state machine stands for.</summary>
    public int IdOf(NodeRow machine)
    {
        if (!_machines.TryGetValue((machine.MethodTable, machine.State), out int id))
        {
            MachinePoint point = source.MachineAt(machine);
            (LogicalFrame frame, FrameOrigin origin) = source.ShowMachine(point, machine.Kind);
            id = Intern(new FrameEntry(frame, origin) { Machine = point });
            _machines[(machine.MethodTable, machine.State)] = id;
        }
        return id;
    }

    /// <summary>Number of a frame of a thread.</summary>
    public int IdOf(ThreadFrame physical)
    {
        if (!_physical.TryGetValue(physical, out int id))
        {
            (LogicalFrame frame, FrameOrigin origin) = source.ShowThread(physical);
            _physical[physical] = id = Intern(new FrameEntry(frame, origin));
        }
        return id;
    }

    /// <summary>Number of a frame that no object stands for.</summary>
    public int IdOf(LogicalFrame frame) => Intern(new FrameEntry(frame, FrameOrigin.User));

    /// <summary>Number of the same frame while a thread executes it: where it was suspended is past.</summary>
    public int IdOfRunning(int id)
    {
        FrameEntry suspended = _entries[id];
        LogicalFrame running = suspended.Frame with { ILOffset = null, AwaitNumber = null, Line = null, File = null, Exactness = Exactness.None };
        return Intern(suspended with { Frame = running });
    }

    // Two bodies of one method (tiers) give equal frames: they must be one entry, or stacks would not coalesce.
    private int Intern(FrameEntry entry)
    {
        if (!_byFrame.TryGetValue((entry.Frame, entry.Origin), out int canonical))
            _byFrame[(entry.Frame, entry.Origin)] = canonical = _entries.Count;
        _entries.Add(entry with { Canonical = canonical });
        return _entries.Count - 1;
    }
}

/// <summary>A distinct frame.</summary>
/// <param name="Frame">What is shown, without an address.</param>
/// <param name="Origin">Who wrote it.</param>
internal sealed record FrameEntry(LogicalFrame Frame, FrameOrigin Origin)
{
    /// <summary>Where a continuation stopped; says nothing for other frames.</summary>
    public SuspensionPoint Point { get; init; } = new();

    /// <summary>Where a state machine stopped; null for other frames.</summary>
    public MachinePoint? Machine { get; init; }

    /// <summary>The first entry that shows the same frame: what stacks are compared by.</summary>
    public int Canonical { get; init; }
}
