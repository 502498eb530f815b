using Async2.Analysis.Code.DebugInfo;
using Async2.Analysis.Code.Decoding;
using Async2.Analysis.Code.Locals;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Code.Suspension;
using Async2.Analysis.Holders.Flow;
using Async2.Analysis.Holders.Kept;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Nodes;
using Async2.Analysis.Targets;
using Async2.Analysis.Values;
using SymbolKind = Async2.Analysis.Holders.Flow.SymbolKind;

namespace Async2.Analysis.Holders;

/// <summary>
/// Which locks a suspended frame holds. A semaphore has no owner, but code that releases it behind an await, without acquiring it again
/// before, holds it at that await. Code is run once for each (method, await); frames only say which objects it was about.
/// </summary>
internal sealed class HolderReader
{
    private readonly Target _target;
    private readonly StateMachineLayouts _machines;
    private readonly SavedVariableReader? _saved;
    private readonly TypeResolver _types;
    private readonly MethodSummaries _summaries;
    private readonly AwaitFlows _flows;
    private readonly Releasers _releasers;
    private readonly HeldIterators _iterators;
    private readonly FrameParts _parts;
    private readonly LoadedModules _modules;
    private readonly DictionaryEntries _entries;
    private readonly ReceiverTypes _receivers;
    private readonly OwnLockObjects _own;
    private readonly PossibleCalls _calls;
    private readonly DelegateTargets _delegates;
    private readonly CompletionReader _completions;
    private readonly IAllObjects _objects;
    private readonly Func<IReadOnlyList<ulong>, IReadOnlySet<ulong>> _findDead;
    private readonly Dictionary<(LoadedModule Module, int Token), bool> _touching = [];

    /// <param name="target">The target.</param>
    /// <param name="modules">Its modules.</param>
    /// <param name="native">Its native code.</param>
    /// <param name="layout">Of continuations; only those of .NET 10 say what they saved.</param>
    /// <param name="machines">Layouts of state machines.</param>
    /// <param name="objects">Lists objects.</param>
    /// <param name="findDead">Finds those objects that no root reaches.</param>
    public HolderReader(Target target, LoadedModules modules, NativeBodies native, RuntimeLayout layout, StateMachineLayouts machines, IAllObjects objects, Func<IReadOnlyList<ulong>, IReadOnlySet<ulong>> findDead)
    {
        (_target, _machines, _modules, _objects, _findDead) = (target, machines, modules, objects, findDead);
        if (layout.Continuation is { Shape: ContinuationShape.Arrays } arrays)
        {
            (int data, int gcData, int resume) = arrays.SavingOffsets;
            _saved = new SavedVariableReader(target, native, new ContinuationFields(data, gcData, resume, ArrayLayout.FirstElement(target.Memory)));
        }
        _types = new TypeResolver(modules, new ValueTypeIndex(target));
        _entries = new DictionaryEntries(target);
        _summaries = new MethodSummaries(modules);
        _flows = new AwaitFlows(_summaries);
        _parts = new FrameParts(target, _types, _saved, _flows, _entries);
        _calls = new PossibleCalls(modules, _summaries);
        _delegates = new DelegateTargets(target, modules);
        _releasers = new Releasers(target, _entries, modules, _summaries, _delegates);
        _own = new OwnLockObjects(target, modules, _summaries.Own);
        _receivers = new ReceiverTypes(modules);
        _iterators = new HeldIterators(target, _entries, modules, _flows);
        _completions = new CompletionReader(target, objects, _entries, _summaries, Mailboxes(), _delegates, _releasers, _own, _iterators);
    }

    /// <summary>Searches for callbacks that use something in a way.</summary>
    public LateSignals LateSignals(FrameUse use, IReadOnlyDictionary<(LoadedModule Module, int Token), int> running) => new(_target, _objects, _modules, _summaries, _delegates, use, _findDead, running);

    /// <summary>Reads channels.</summary>
    public Mailboxes Mailboxes() => new(_target);

    /// <summary>Searches for code that could read a channel, or set an event, and is not executed now.</summary>
    /// <param name="use">What it would do.</param>
    /// <param name="known">Methods that are executed.</param>
    /// <param name="isReached">Something leads to a method; null if all count.</param>
    public OtherCode OtherCode(FrameUse use, IReadOnlySet<(LoadedModule Module, int Token)> known, Func<ModuleMethod, bool>? isReached = null) => new(_target, _objects, _entries, _modules, _summaries, Mailboxes(), use, known, isReached);

    /// <summary>An iterator of the user's that somebody may ask for its next element uses something in a way, or that is not known.</summary>
    public bool IteratorsMayUse(FrameUse use) => _iterators.MayUse(use, _objects, _summaries);

    /// <summary>Iterators of the user's that use something in a way, by who has them.</summary>
    public IteratorUses IteratorUses(FrameUse use) => new(_target, _objects, _iterators, use);

    /// <summary>Those of some channels that an object of a framework's has, which may read them: a hub that streams one to its client. All of them if that is not known.</summary>
    public IReadOnlyList<ulong> KnownToFrameworks(IReadOnlyList<ulong> channels) => new FrameworkReaders(_target, _modules, Mailboxes(), _delegates).Of(channels);

    /// <summary>Searches for what may release locks and is neither suspended nor runs.</summary>
    public LateReleasers LateReleasers() => new(_target, _objects, _entries, _modules, _summaries, _releasers, _iterators, _findDead);

    /// <summary>Finds methods that release locks of threads.</summary>
    public LockExits LockExits() => new(_target, _summaries, _modules);

    /// <summary>Searches for what may complete a promise later.</summary>
    /// <param name="standing">Methods that are suspended or run.</param>
    /// <param name="begun">Methods of which all that they call may come, too.</param>
    /// <param name="holdsServices">Without what a host does when it goes on.</param>
    /// <param name="called">Delegates that are about to be called once more.</param>
    public LateCompleters LateCompleters(IReadOnlySet<(LoadedModule Module, int Token)> standing, IReadOnlyList<ModuleMethod>? begun = null, bool holdsServices = false, IReadOnlySet<ulong>? called = null)
        => new(_target, _objects, _modules, _summaries, _completions, _delegates, _findDead, standing) { Begun = begun ?? [], HoldsServices = holdsServices, Called = called ?? new HashSet<ulong>() };

    /// <summary>Frames at a place may complete a promise, or release something; of a suspended one.</summary>
    public bool CanComplete(SuspensionPoint point) => point.Method is { IsUserBody: true, Facts: { } facts } method && _summaries.CanComplete(new ModuleMethod(method.Module, facts));

    /// <summary>The same of a state machine.</summary>
    public bool CanComplete(StateMachinePoint? point) => point is { MoveNext: { Module.IsFramework: false } method, IsClosure: false } && _summaries.CanComplete(method);

    /// <summary>The same of a method that a thread executes.</summary>
    public bool CanComplete(AsyncMethod method) => method is { Facts: { } facts, Module.IsFramework: false } && _summaries.CanComplete(new ModuleMethod(method.Module, facts));

    /// <summary>The frames at a place await the task of a TaskCompletionSource of the program's own.</summary>
    public bool AwaitsSource(SuspendedFrame frame) => frame.Point.Method is { IsUserBody: true } && PromiseCalls.IsTaskOfSource(_parts.Of(frame).Last().Flow?.After.Awaited);

    /// <summary>The same of a state machine.</summary>
    public bool AwaitsSource(StateMachinePoint? point)
        => point is { MoveNext: { Module.IsFramework: false } moveNext, Await: { } await, IsClosure: false } && PromiseCalls.IsTaskOfSource(_flows.AtState(moveNext, await.State, await.AwaiterField)?.After.Awaited);

    /// <summary>The rest of the frames at a place completes or releases something, or that is not known; no others need be asked what.</summary>
    public bool DoesComplete(SuspendedFrame frame) => _parts.Of(frame).Any(part => part.Flow is not { } flow || CompletionReader.IsAsked(flow));

    /// <summary>The same of a state machine.</summary>
    public bool DoesComplete(StateMachinePoint point) => point is not { MoveNext: { } moveNext, Await: { } await } || _flows.AtState(moveNext, await.State, await.AwaiterField) is not { } flow || CompletionReader.IsAsked(flow);

    /// <summary>What the rest of a frame completes or releases, by place.</summary>
    public IEnumerable<(int Place, Completed Completed)> CompletedAt(SuspendedFrame frame)
        => _parts.Of(frame).Select(part => (part.Place, part.Flow is { } flow ? _completions.Of(flow, part.Memory()) : AnyOf(part.Method)));

    /// <summary>The same of a state machine in its box.</summary>
    public Completed CompletedAt(StateMachinePoint point, in NodeRow row)
        => point is { MoveNext: { } moveNext, Await: { } await } && _machines.StateMachineIn(row.Address, row.MethodTable) is { } machine && _flows.AtState(moveNext, await.State, await.AwaiterField) is { } flow
            ? _completions.Of(flow, MemoryOf(machine)) : AnyOf(point.MoveNext);

    /// <summary>The same of a method that a thread executes.</summary>
    public Completed CompletedAt(RunningFrame frame)
    {
        if (frame.Method.Facts is not { } facts)
            return AnyOf(null);
        var method = new ModuleMethod(frame.Method.Module, facts);
        FrameMemory memory = MemoryOf(frame, facts.IsStatic);
        // One of these calls it is in.
        Completed[] all = [.. frame.Calls.Select(call => _flows.AtCall(method, call) is { } flow ? _completions.Of(flow, memory) : AnyOf(method))];
        return all is [var only] ? only : AnyOf(method, all);
    }

    // Where it stands is not known: whatever any part of it completes.
    private Completed AnyOf(ModuleMethod? method, params Completed[] parts)
    {
        var found = new Completed();
        if (parts.Length == 0 && (method is not { } known || _summaries.Of(known, 0).Uses[FrameUse.Completes].Count > 0))
            found.Unknown.Add(Completed.Anything);
        foreach (Completed part in parts)
        {
            found.Objects.UnionWith(part.Objects);
            found.Unknown.UnionWith(part.Unknown);
        }
        return found;
    }

    /// <summary>A lock that the program made itself; null for all other objects.</summary>
    public OwnLockObject? OwnLockAt(ulong address) => _own.At(address);

    /// <summary>The frames at a place may wait for such a lock.</summary>
    public bool MayWaitForOwn(SuspensionPoint point) => point.Method is { IsUserBody: true, Facts: { } facts } method && _summaries.MayAcquireOwn(new ModuleMethod(method.Module, facts));

    /// <summary>The same of a state machine.</summary>
    public bool MayWaitForOwn(StateMachinePoint? point) => point is { MoveNext: { } method, IsClosure: false } && _summaries.MayAcquireOwn(method);

    /// <summary>Whether the frames at a place can have to do with a lock at all.</summary>
    public bool CanHold(SuspensionPoint point) => point.Method is { IsUserBody: true, Facts: { } facts } method && CanHold(new ModuleMethod(method.Module, facts));

    /// <summary>The same of a state machine.</summary>
    public bool CanHold(StateMachinePoint? point) => FrameworkHolders.Has(point) || (point is { MoveNext: { } method, IsClosure: false } && CanHold(method));

    /// <summary>The same of a method that a thread executes.</summary>
    public bool CanHold(AsyncMethod? method) => method is { Facts: { } facts } && CanHold(new ModuleMethod(method.Module, facts));

    /// <summary>A continuation of runtime-async.</summary>
    /// <param name="frame">The frame.</param>
    /// <param name="waitsFor">The lock for which its operation waits in the end; 0 for none.</param>
    /// <returns>By place.</returns>
    public IEnumerable<(int Place, FrameClaims Claims)> At(SuspendedFrame frame, ulong waitsFor) => _parts.Of(frame).Select(part => (part.Place, ClaimsOf(part, waitsFor)));

    private FrameClaims ClaimsOf(FramePart part, ulong waitsFor)
        => part.Flow is not { } flow ? part.Method is { } method && !CanHold(method) ? FrameClaims.None : FrameClaims.Unknown
            : flow.IsEmpty ? FrameClaims.None : Claims(flow, part.Memory(), waitsFor, bodies => _flows.At(part.Method!, part.Await, bodies));

    /// <summary>A state machine in its box.</summary>
    public FrameClaims At(StateMachinePoint point, in NodeRow row, ulong waitsFor)
    {
        if (_machines.StateMachineIn(row.Address, row.MethodTable) is not { } machine)
            return FrameworkHolders.Has(point) ? FrameClaims.None : FrameClaims.Unknown;
        if (FrameworkHolders.HeldBy(_target, point, machine) is { } held)
            return new([.. held.Select(one => new LockClaim(one, HolderClass.Always, GivesBack: false))], IsWhole: true);
        if (point is not { MoveNext: { } moveNext, Await: { } await } || _flows.AtState(moveNext, await.State, await.AwaiterField) is not { } flow)
            return FrameClaims.Unknown;
        return flow.IsEmpty ? FrameClaims.None : Claims(flow, MemoryOf(machine), waitsFor, bodies => _flows.AtState(moveNext, await.State, await.AwaiterField, bodies));
    }

    /// <summary>A method that a thread executes.</summary>
    public FrameClaims At(RunningFrame frame)
    {
        if (frame is not { Method: { Facts: { } facts } method, Call: { } offset } || _flows.AtCall(new ModuleMethod(method.Module, facts), offset) is not { } flow)
            return FrameClaims.Unknown;
        return flow.IsEmpty ? FrameClaims.None : Claims(flow, MemoryOf(frame, facts.IsStatic), 0, _ => null);
    }

    /// <summary>IL offsets of the calls in one of which a thread's frame is, by what it has called; none if that is not known.</summary>
    /// <param name="method">The method.</param>
    /// <param name="called">What it has called.</param>
    /// <param name="resumed">What it was resumed with; null if that is not known.</param>
    public IReadOnlyList<int> CallsOf(AsyncMethod method, CalleeName? called, FrameMemory? resumed) => _calls.In(method, called, resumed?.Machine is { } machine && _iterators.StateOf(machine) == MachineFields.NotStarted);

    /// <summary>What a method that a thread executes was resumed with: its box; null if that is of another method.</summary>
    public FrameMemory? ResumedWith(in NodeRow row, AsyncMethod method)
        => _machines.StateMachineIn(row.Address, row.MethodTable) is { } machine && machine.Layout.Type.MetadataToken == method.Facts?.DeclaringToken && machine.Layout.Type.Module?.Address == method.Method.Type?.Module?.Address
            ? MemoryOf(machine) : null;

    /// <summary>The same of a continuation.</summary>
    public FrameMemory? ResumedWith(SuspensionPoint point, in ContinuationRow row, AsyncMethod method)
        => _saved is not null && point is { Method: { } own, Exactness: Exactness.Exact or Exactness.Order } && own.IsSameDefinition(method) ? new ContinuationMemory(_target, _types, _saved.At(point), row) : null;

    /// <summary>Methods that use something in a way, among that of a frame and those that it calls.</summary>
    public IEnumerable<ModuleMethod> UsersAt(FrameUse use, AsyncMethod? method) => method is { IsUserBody: true, Facts: { } facts } ? _summaries.UsersIn(use, new ModuleMethod(method.Module, facts)) : [];

    /// <summary>The same of a method that a thread executes, async or not.</summary>
    public IEnumerable<ModuleMethod> UsersOn(FrameUse use, AsyncMethod method) => method is { Facts: { } facts, Module.IsFramework: false } ? _summaries.UsersIn(use, new ModuleMethod(method.Module, facts)) : [];

    /// <summary>The same of a state machine.</summary>
    public IEnumerable<ModuleMethod> UsersAt(FrameUse use, StateMachinePoint? point) => point is { MoveNext: { Module.IsFramework: false } method, IsClosure: false } ? _summaries.UsersIn(use, method) : [];

    /// <summary>Objects that the rest of a frame uses: channels from which it reads, or ends of them; events that it signals. 0 among them for one that is not known.</summary>
    public IEnumerable<ulong> Used(FrameUse use, SuspendedFrame frame)
        => _parts.Of(frame).SelectMany(part => part.Flow is { } flow ? Used(use, flow, part.Memory()) : Unknown(use, part.Method));

    /// <summary>The same of a state machine in its box.</summary>
    public IEnumerable<ulong> Used(FrameUse use, StateMachinePoint point, in NodeRow row)
        => point is { MoveNext: { } moveNext, Await: { } await } && _machines.StateMachineIn(row.Address, row.MethodTable) is { } machine && _flows.AtState(moveNext, await.State, await.AwaiterField) is { } flow
            ? Used(use, flow, MemoryOf(machine)) : Unknown(use, point.MoveNext);

    /// <summary>The same of a method that a thread executes.</summary>
    public IEnumerable<ulong> Used(FrameUse use, RunningFrame frame)
    {
        if (frame.Method.Facts is not { } facts)
            return [0];
        AwaitFlow?[] flows = [.. frame.Calls.Select(call => _flows.AtCall(new ModuleMethod(frame.Method.Module, facts), call))];
        FrameMemory memory = MemoryOf(frame, facts.IsStatic);
        // Whichever of these calls it is in, the rest does the same.
        return flows is [{ } first, ..] && flows.All(flow => flow is not null && flow.After.Uses[use].Keys.ToHashSet().SetEquals(first.After.Uses[use].Keys)) ? Used(use, first, memory)
            : Unknown(use, new(frame.Method.Module, facts), memory);
    }

    /// <summary>
    /// What a method that a thread executes uses of something: as <see cref="Used(FrameUse, RunningFrame)"/>, and where that is one thing in a variable, it is the only one that its frame
    /// holds, which has to keep what it will use.
    /// </summary>
    /// <param name="standsFor">What objects stand for; 0 for those that are not meant.</param>
    public IEnumerable<ulong> Used(FrameUse use, RunningFrame frame, Func<ulong, ulong> standsFor)
    {
        ulong[] used = [.. Used(use, frame)];
        if (used is not [0] || frame is not { Method.Facts: { } facts, Calls: [var call, ..] } || _flows.AtCall(new ModuleMethod(frame.Method.Module, facts), call)?.After.Uses[use].Values.ToArray() is not [var one]
            || (one.Kind is not (SymbolKind.Argument or SymbolKind.Local or SymbolKind.New) && use != FrameUse.Sets))
            return used;
        (ulong Held, ulong Is)[] held = [.. frame.Roots.Select(root => (root, standsFor(root))).Where(pair => pair.Item2 != 0).Distinct()];
        // Of what is being enumerated, the enumerator is there.
        (ulong Held, ulong Is)[] ends = [.. held.Where(pair => pair.Held != pair.Is)];
        return (ends.Length > 0 ? ends : held).Select(pair => pair.Is).Distinct().ToArray() is [var only] ? [only] : used;
    }

    // Where it stands is not known: whatever any part of it uses, if that is anything.
    private IEnumerable<ulong> Unknown(FrameUse use, ModuleMethod? method, FrameMemory? memory = null)
    {
        if (method is null || _summaries.Of(method, 0) is not { IsCut: false } summary)
            return [0];
        var used = summary.Uses[use];
        var values = memory is null ? null : new SymbolValues(_target, _entries, memory);
        return used.Count == 0 ? [] : used.Select(symbol => values?.ObjectOf(symbol) ?? 0).Append(0UL);
    }

    private IEnumerable<ulong> Used(FrameUse use, AwaitFlow flow, FrameMemory memory)
    {
        var values = new SymbolValues(_target, _entries, memory, flow.Before);
        return flow.After.Uses[use].Values.Select(values.UsedOf);
    }

    private FieldMemory MemoryOf(BoxedStateMachine machine) => new(FieldsAt.Of(_target, machine));

    // All that a state machine has is in its box.
    private FrameMemory MemoryOf(RunningFrame frame, bool isStatic) => frame.Resumed is FieldMemory ? frame.Resumed
        : new ThreadMemory(isStatic ? 0 : SelfIn(frame.Roots, frame.Method) is not 0 and var own ? own : SelfIn(frame.OnThread, frame.Method), frame.Resumed, frame.Roots);

    private ulong SelfIn(IEnumerable<ulong> roots, AsyncMethod method)
    {
        ulong[] own = [.. roots.Where(root => MethodTables.TryRead(_target.Memory, root, out ulong table) && TypeLookup.Of(_target.Runtime, table) is { } type
            && BaseTypes.Of(type).Any(one => one.MetadataToken == method.Facts?.DeclaringToken && one.Module?.Address == method.Method.Type?.Module?.Address)).Distinct()];
        return own is [var only] ? only : 0;
    }

    private bool CanHold(ModuleMethod method)
    {
        (LoadedModule, int) key = method.Key;
        if (!_touching.TryGetValue(key, out bool can))
            _touching[key] = can = !method.Module.IsFramework && _summaries.CanTouchLocks(method);
        return can;
    }

    private FrameClaims Claims(AwaitFlow flow, FrameMemory memory, ulong waitsFor, Func<KnownBodies, AwaitFlow?> withBodies)
    {
        var values = new SymbolValues(_target, _entries, memory, flow.Before);
        if (flow.Open.Count > 0 && _receivers.Of(flow, values) is { } bodies && withBodies(bodies) is { } known)
            (flow, values) = (known, new SymbolValues(_target, _entries, memory, known.Before));
        return new ClaimReader(_releasers, _iterators, flow, values).Read(waitsFor);
    }
}

/// <summary>A method that a thread executes.</summary>
/// <param name="Method">The method.</param>
/// <param name="Calls">IL offsets of the calls in one of which it is; none if that is not known.</param>
/// <param name="Roots">Objects that its frame holds.</param>
/// <param name="OnThread">Objects on the thread's stack, as far as they were read.</param>
/// <param name="Resumed">What it was resumed with; null if it began on this thread.</param>
internal sealed record RunningFrame(AsyncMethod Method, IReadOnlyList<int> Calls, IEnumerable<ulong> Roots, IEnumerable<ulong> OnThread, FrameMemory? Resumed)
{
    /// <summary>The call in which it is; null if it may be another one, too.</summary>
    public int? Call => Calls is [var only] ? only : null;
}
