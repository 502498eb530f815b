using Async2.Analysis.Code.Elided;
using Async2.Analysis.Code.Suspension;
using Async2.Analysis.Holders;
using Async2.Analysis.Holders.Kept;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Nodes;
using Async2.Analysis.Threads;

namespace Async2.Analysis.Stacks.Frames;

/// <summary>
/// One entry for each distinct frame: method, place and instantiation. Stacks are sequences of entry numbers until they are
/// shown, so a million frames cost a million numbers.
/// </summary>
internal sealed class FrameTable
{
    private const int Unknown = -1;

    private readonly IFrameSource _source;
    private readonly FrameColumns _continuations;
    private readonly int[] _bySite;
    private readonly SuspensionPoint?[] _points;
    private readonly Dictionary<(int Site, ulong Context), int> _byContext = [];
    private readonly Dictionary<(ulong MethodTable, int State), int> _stateMachines = [];
    private readonly Dictionary<ThreadFrame, int> _physical = [];
    private readonly Dictionary<(LogicalFrame Frame, FrameOrigin Origin), int> _byFrame = [];
    private readonly Dictionary<(int Id, string Note), int> _noted = [];
    private readonly List<FrameEntry> _entries = [];

    /// <param name="source">Says what stands behind the frames.</param>
    /// <param name="continuations">Those that have numbers here.</param>
    public FrameTable(IFrameSource source, FrameColumns continuations)
    {
        _source = source;
        _continuations = continuations;
        _points = new SuspensionPoint?[continuations.Sites.Count];
        _bySite = new int[continuations.Sites.Count];
        Array.Fill(_bySite, Unknown);
    }

    public FrameEntry this[int id] => _entries[id];

    /// <summary>All of them, by number.</summary>
    public IReadOnlyList<FrameEntry> Entries => _entries;

    /// <summary>Number of the frame that a continuation stands for.</summary>
    /// <param name="continuation">Its position.</param>
    public int IdOf(int continuation)
    {
        int site = _continuations.SiteOf(continuation), id = _bySite[site];
        return id != Unknown ? id : Find(continuation, site);
    }

    /// <summary>Whether every continuation at the place of this one stands for the same frame: its number was asked for before.</summary>
    /// <param name="continuation">Its position.</param>
    public bool IsFixed(int continuation) => _bySite[_continuations.SiteOf(continuation)] != Unknown;

    private int Find(int continuation, int site)
    {
        SuspensionPoint point = _points[site] ??= _source.PointAt(_continuations.Sites[site]);
        if (!_source.IsShared(point))
            return _bySite[site] = Show(point, 0);
        (ulong data, ulong gcData) = _continuations.SavedOf(continuation);
        ulong context = _source.ContextOf(point, data, gcData);
        if (!_byContext.TryGetValue((site, context), out int id))
            _byContext[(site, context)] = id = Show(point, context);
        return id;
    }

    private int Show(SuspensionPoint point, ulong context)
    {
        (LogicalFrame frame, FrameOrigin origin) = _source.Show(point, context);
        return Intern(new FrameEntry(frame, origin) { Point = point });
    }

    /// <summary>Number of the frame that a state machine stands for.</summary>
    public int IdOf(in NodeRow machine)
    {
        if (!_stateMachines.TryGetValue((machine.MethodTable, machine.State), out int id))
        {
            StateMachinePoint point = _source.StateMachineAt(machine);
            (LogicalFrame frame, FrameOrigin origin) = _source.ShowStateMachine(point, machine.Kind);
            id = Intern(new FrameEntry(frame, origin) { Machine = point });
            _stateMachines[(machine.MethodTable, machine.State)] = id;
        }
        return id;
    }

    /// <summary>Number of a frame of a thread.</summary>
    public int IdOf(ThreadFrame physical)
    {
        // What a frame holds does not change how it is shown.
        ThreadFrame shown = physical with { Roots = [] };
        if (!_physical.TryGetValue(shown, out int id))
        {
            (LogicalFrame frame, FrameOrigin origin) = _source.ShowThread(physical);
            _physical[shown] = id = Intern(new FrameEntry(frame, origin));
        }
        return id;
    }

    /// <summary>IL offsets of the calls in one of which a frame of a thread is; none if that is not known.</summary>
    /// <param name="id">Its number.</param>
    /// <param name="physical">The frame.</param>
    /// <param name="reader">Reads code where it is not sure.</param>
    /// <param name="resumed">What it was resumed with; null if that is not known.</param>
    public IReadOnlyList<int> CallsOf(int id, ThreadFrame physical, HolderReader reader, FrameMemory? resumed = null) => this[id].SureOffset is { } sure ? [sure] : reader.CallsOf(physical.Method, physical.Called, resumed);

    /// <summary>Number of a frame that the JIT left out.</summary>
    public int IdOf(ElidedPlace place) => Intern(new FrameEntry(place.Frame, FrameOrigin.User) { Elided = place.Code });

    /// <summary>Number of a frame that is given as it is shown.</summary>
    public int IdOf(LogicalFrame frame) => Intern(new FrameEntry(frame, FrameOrigin.User));

    /// <summary>Number of the same frame while a thread executes it: where it was suspended is past.</summary>
    public int IdOfRunning(int id)
    {
        FrameEntry suspended = _entries[id];
        LogicalFrame running = suspended.Frame with { ILOffset = null, AwaitNumber = null, Line = null, File = null, Exactness = Exactness.None };
        return Intern(suspended with { Frame = running });
    }

    /// <summary>Number of the frame of a state machine that has finished: it stands at no await.</summary>
    public int IdOfDone(int id) => Intern(_entries[id] with { Frame = _entries[id].Frame with { Exactness = Exactness.Exact } });

    /// <summary>Number of the same frame with something to say of it in this stack.</summary>
    public int IdOfNoted(int id, string note)
    {
        if (!_noted.TryGetValue((id, note), out int noted))
        {
            FrameEntry entry = _entries[id];
            _noted[(id, note)] = noted = Intern(entry with { Frame = entry.Frame with { Note = entry.Frame.Note is { } own ? $"{own}; {note}" : note } });
        }
        return noted;
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

    /// <summary>Where a method stands that has no object; null for other frames.</summary>
    public ElidedFrame? Elided { get; init; }

    /// <summary>Where a state machine stopped; null for other frames.</summary>
    public StateMachinePoint? Machine { get; init; }

    /// <summary>IL offset of the call in which the frame is, if that is sure; null otherwise.</summary>
    public int? SureOffset => Frame.Exactness is Exactness.Exact or Exactness.Order ? Frame.ILOffset : null;

    /// <summary>The first entry that shows the same frame: what stacks are compared by.</summary>
    public int Canonical { get; init; }
}
