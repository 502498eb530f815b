using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Nodes;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;

namespace Async2.Analysis.Families.FSharp;

/// <summary>
/// Adds asyncs of F# to the operations. Each that waits is known to what it waits for: a task, a timer or wait handle (by a closure whose
/// latch is open), another's result, or a mailbox. From there its contexts lead outwards; each that goes on behind a <c>let!</c> of the
/// user's is a frame. Also gives dynamic <c>task { }</c>s, which are walked through by closures, the closure that they go on with.
/// </summary>
internal sealed class FSharpAsyncs
{
    private const int ChainLimit = 1_000_000;
    private const int ListLimit = 100_000;

    private readonly Target _target;
    private readonly HeapIndex _index;
    private readonly FSharpObjects _objects;
    private readonly TaskLayout _task;
    private readonly Dictionary<ulong, NodeRow> _rows = [];
    private readonly List<(ulong Alias, ulong Node)> _aliases = [];
    private readonly Dictionary<ulong, ulong> _met = [];
    private readonly Dictionary<ulong, PromiseRow> _forks = [];
    private readonly List<LoopBody> _bodies = [];
    private readonly Dictionary<ulong, ulong> _events = [];
    private int _unread;

    private FSharpAsyncs(Target target, HeapIndex index, TaskLayout task)
    {
        _target = target;
        _index = index;
        _task = task;
        _objects = new FSharpObjects(target);
    }

    /// <summary>The same with the asyncs that wait.</summary>
    /// <param name="target">The target.</param>
    /// <param name="index">Operations and what the walk over the heap noted.</param>
    /// <param name="machines">Layouts of state machines.</param>
    /// <param name="problems">Receives problems: asyncs that could not be read.</param>
    public static HeapIndex Join(Target target, HeapIndex index, StateMachineLayouts machines, ProblemLog problems)
    {
        if (index.Layout.Task is not { } task)
            return index;
        var asyncs = new FSharpAsyncs(target, index, task);
        foreach (ulong address in index.Resources)
            asyncs.Take(asyncs._objects.At(address));
        asyncs.TakeDynamic(machines);
        if (asyncs._unread > 0)
        {
            string many = asyncs._unread == 1 ? "1 async computation" : FormattableString.Invariant($"{asyncs._unread} async computations");
            problems.AddPartial(new(ProblemCodes.AsyncsNotShown, $"{many} of F# (async {{ }}, agents) could not be read: their stacks are not shown"));
        }
        if (asyncs._rows.Count == 0)
            return index;
        HeapIndex joined = index.WithAsyncs(asyncs._rows, asyncs._aliases, asyncs._events);
        return asyncs._bodies.Count == 0 ? joined : joined.WithBodies(asyncs._bodies, promise => asyncs._forks[promise].Awaiter);
    }

    private void Take(HeapObject item)
    {
        switch (_objects.KindOf(item))
        {
            case FSharpAsyncKind.Latched:
                TakeLatched(item);
                break;
            case FSharpAsyncKind.TaskContinuation:
                TakeContinuation(item);
                break;
            case FSharpAsyncKind.Mailbox:
                if (_objects.Field(item, "savedCont") is { Address: not 0 } saved)
                    Start(_objects.ContextOf(_objects.Field(saved, "value")), item.Address);
                break;
            case FSharpAsyncKind.ResultCell:
                TakeCell(item);
                break;
        }
    }

    // Sleep, AwaitWaitHandle, FromContinuations: the first event closes the latch. Several closures share one latch.
    private void TakeLatched(HeapObject closure)
    {
        if (_objects.Field(closure, "latch") is not { Address: not 0 } latch || latch.Int32(_target.Memory.PointerSize) != 0)
            return;
        HeapObject timer = Optional(closure, "timer"), handle = Optional(closure, "rwh");
        Start(_objects.ContextOf(closure), timer.Address != 0 ? timer.Address : handle.Address != 0 ? handle.Address : closure.Address);
    }

    // FSharpRef<FSharpOption<T>>.
    private HeapObject Optional(HeapObject closure, string field)
        => _objects.Field(_objects.Field(_objects.Field(closure, field), "contents@"), "value");

    private void TakeContinuation(HeapObject continuation)
    {
        HeapObject run = _objects.Field(continuation, "m_task");
        HeapObject closure = _objects.Field(_objects.Field(run, "m_action"), "_target");
        if (closure.Address == 0 || _objects.ContextOf(closure) is not (not 0 and var context))
            return;
        if (run.UInt32(_task.StateFlags) is { } flags && !TaskLayout.IsCompleted(flags) && Start(context, _objects.Field(run, "m_antecedent").Address) is not 0 and var node)
            _aliases.Add((run.Address, node));
    }

    private void TakeCell(HeapObject cell)
    {
        if (_objects.Field(cell, "result").Address != 0)
            return;
        HeapObject list = _objects.Field(cell, "savedConts");
        for (int i = 0; i < ListLimit && list.Address != 0; i++, list = _objects.Field(list, "tail"))
        {
            if (_objects.Field(list, "head") is { Address: not 0 } waiter)
                Start(_objects.ContextOf(waiter), cell.Address);
        }
    }

    // Adds a row for each frame from a context outwards; address of the innermost, or 0.
    private ulong Start(ulong context, ulong awaited)
    {
        if (context == 0)
        {
            _unread++;
            return 0;
        }
        AsyncPath path = Walk(context);
        if (path.Joined != 0 && path.Frames.Count == 0)
            return Record(context, _met[path.Joined]);
        // If no user code comes after it, only the async that it was started with can be shown.
        if (path.Frames.Count == 0)
            path.Frames.Add((context, path.End.Address));
        ulong task = path.Joined == 0 ? _objects.Field(_objects.Field(path.End, "tcs"), "_task").Address : 0;
        ulong awaiter = path.Joined != 0 ? path.Joined : task != 0 ? _objects.At(task).Reference(_task.ContinuationObject) : AwaiterAt(path);
        ulong address = 0;
        for (int i = path.Frames.Count - 1; i >= 0; i--)
        {
            bool isTask = i == path.Frames.Count - 1 && task != 0;
            address = Record(path.Frames[i].Context, isTask ? task : path.Frames[i].Context);
            _rows[address] = new NodeRow(NodeKind.FSharpAsync, address, _objects.At(path.Frames[i].Code).MethodTable(), i == 0 ? awaited : 0, awaiter, isTask ? 1 : 0);
            awaiter = path.Frames[i].Context;
        }
        return Record(context, address);
    }

    // A waiter may refer to an async by its innermost context.
    private ulong Record(ulong context, ulong address)
    {
        if (_met.TryAdd(context, address) && context != address)
            _aliases.Add((context, address));
        return address;
    }

    // The waiter of the outermost frame of a path: another async, behind a result or a fork, or a thread.
    private ulong AwaiterAt(AsyncPath path)
    {
        ulong outermost = path.Frames[^1].Context;
        if (path.Behind != 0)
        {
            ulong fork = _objects.CountOf(path.End) is not 0 and var count ? count : path.End.Address;
            _bodies.Add(new(outermost, fork, Called: 0));
            if (_forks.TryAdd(fork, new PromiseRow(fork, path.Behind, NeedsAll: true)))
                Start(path.Behind, path.End.Address);
            return 0;
        }
        HeapObject cell = _objects.Field(path.End, "resultCell");
        if (_objects.Field(cell, "resEvent") is { Address: not 0 } handle)
            _events[handle.Address] = outermost;
        return _objects.ContextOf(_objects.Field(_objects.Field(cell, "savedConts"), "head"));
    }

    // Contexts with code of the user's behind them, innermost first, to the end of the async, to one that was met before, or to where
    // it is one of several that another one waits for.
    private AsyncPath Walk(ulong context)
    {
        var frames = new List<(ulong Context, ulong Code)>();
        var passed = new HashSet<ulong>();
        HeapObject end = default;
        while (context != 0 && passed.Count < ChainLimit && passed.Add(context))
        {
            if (_met.ContainsKey(context))
                return new(frames, end, context, 0);
            end = _objects.Field(_objects.At(context), "cont@");
            if (_objects.Field(end, "part2") is { Address: not 0 } code && _objects.IsOfUser(code))
                frames.Add((context, code.Address));
            context = _objects.ContextOf(end);
            HeapObject holder = _objects.CountOf(end) != 0 || context != 0 ? end : _objects.HolderBehind(end);
            if (context == 0 || _objects.CountOf(end) != 0)
                return new(frames, holder.Address == 0 ? end : holder, 0, _objects.ContextOf(holder));
        }
        return new(frames, end, 0, 0);
    }

    /// <summary>A way outwards.</summary>
    /// <param name="Frames">Contexts, and the closures that go on there.</param>
    /// <param name="End">The last closure.</param>
    /// <param name="Joined">A context that is known; 0 if there was none.</param>
    /// <param name="Behind">The context that the last closure goes on with when all that share it have come to it.</param>
    private readonly record struct AsyncPath(List<(ulong Context, ulong Code)> Frames, HeapObject End, ulong Joined, ulong Behind);

    private void TakeDynamic(StateMachineLayouts machines)
    {
        var dynamic = new Dictionary<ulong, bool>();
        foreach (ref readonly NodeRow row in _index.Nodes)
        {
            if (row.Kind != NodeKind.Machine)
                continue;
            if (!dynamic.TryGetValue(row.MethodTable, out bool isDynamic))
                dynamic[row.MethodTable] = isDynamic = machines.BoxOf(row.MethodTable)?.StateMachineType?.Name?.StartsWith(FSharpAsyncLayout.DynamicStateMachine, StringComparison.Ordinal) == true;
            if (isDynamic && DynamicOf(row, machines) is { } async)
                _rows[row.Address] = async;
        }
    }

    private NodeRow? DynamicOf(in NodeRow row, StateMachineLayouts machines)
    {
        if (machines.StateMachineIn(row.Address, row.MethodTable) is not { IsObject: false } machine
            || machine.Layout.Type.GetFieldByName("ResumptionDynamicInfo") is not { Offset: >= 0 and var offset })
            return null;
        HeapObject info = _objects.At(machine.Address).At(offset);
        HeapObject code = _objects.Field(_objects.Field(info, "ResumptionFunc@"), "_target");
        return code.Address == 0 ? null
            : new NodeRow(NodeKind.FSharpAsync, row.Address, code.MethodTable(), _objects.Field(info, "ResumptionData@").Address, row.Awaiter, 1);
    }
}
