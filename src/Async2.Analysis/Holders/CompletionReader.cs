using Async2.Analysis.Code.Modules;
using Async2.Analysis.Holders.Flow;
using Async2.Analysis.Holders.Kept;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Holders;

/// <summary>What code lets go on, as objects.</summary>
internal sealed class Completed
{
    /// <summary>Tasks of promises, semaphores, locks of the program's own, sources of value tasks, channels, pipes.</summary>
    public HashSet<ulong> Objects { get; } = [];

    /// <summary>It is not known what it does.</summary>
    public const string Anything = "*";

    /// <summary>Types of TaskCompletionSources of which it is not known which one; "" for semaphores, locks and sources, <see cref="PromiseCalls.Channel"/> for channels, <see cref="PromiseCalls.Pipe"/> for pipes.</summary>
    public HashSet<string> Unknown { get; } = [];
}

/// <summary>
/// Tells which promises, semaphores and sources the code of a frame, a delegate or an object completes or releases (decision 69): what its symbols stand for, where they lead into a
/// collection all that is in it, and what the delegates do that it calls.
/// </summary>
/// <param name="target">The target.</param>
/// <param name="objects">Lists objects.</param>
/// <param name="entries">Reads dictionaries.</param>
/// <param name="summaries">What methods complete.</param>
/// <param name="mailboxes">Finds promises in collections.</param>
/// <param name="delegates">What delegates call.</param>
/// <param name="releasers">Know what disposes objects.</param>
/// <param name="own">Read locks of the program's own.</param>
/// <param name="iterators">Know what goes on when it is disposed of.</param>
internal sealed class CompletionReader(Target target, IAllObjects objects, DictionaryEntries entries, MethodSummaries summaries, Mailboxes mailboxes, DelegateTargets delegates, Releasers releasers, OwnLockObjects own, HeldIterators iterators)
{
    private const string Promise = "System.Threading.Tasks.Task";
    private const int InstanceLimit = 1000;
    // An iterator may read another one.
    private const int IteratorLimit = 8;

    private readonly Dictionary<(LoadedModule Module, int Type), ulong[]> _instances = [];
    private readonly Dictionary<(ulong Container, bool AreChannels), ulong[]> _inside = [];

    /// <summary>It may let something go on from there, whatever its frames kept.</summary>
    /// <param name="flow">The code.</param>
    public static bool IsAsked(AwaitFlow flow)
        => flow.After.IsCut || flow.After.Uses[FrameUse.Completes].Count > 0 || flow.After.Uses[FrameUse.Invokes].Count > 0 || flow.After.Disposed.Values.Any(symbol => !symbol.IsUnknown);

    /// <summary>What a frame does from where it stands.</summary>
    /// <param name="flow">Its code.</param>
    /// <param name="memory">What it kept.</param>
    public Completed Of(AwaitFlow flow, FrameMemory memory)
    {
        var found = new Completed();
        Add(found, flow, memory, 0);
        return found;
    }

    private void Add(Completed found, AwaitFlow flow, FrameMemory memory, int depth)
    {
        var values = new SymbolValues(target, entries, memory, flow.Before);
        foreach (Symbol completed in flow.After.Uses[FrameUse.Completes].Values)
            Add(found, completed, values, flow.Before, memory);
        foreach (Symbol called in flow.After.Uses[FrameUse.Invokes].Values)
            AddCalled(found, called, values);
        foreach (Symbol disposed in flow.After.Disposed.Values.Where(symbol => !symbol.IsUnknown))
        {
            if (values.FieldsOf(disposed) is { } item)
                AddDisposed(found, item, depth);
        }
        if (flow.After.IsCut)
            found.Unknown.Add(Completed.Anything);
    }

    /// <summary>What a method does when it is called on an object.</summary>
    /// <param name="method">The method.</param>
    /// <param name="item">The object; 0 if it has none, or that is not known.</param>
    /// <param name="onlyResults">What fails or cancels is left out.</param>
    public Completed Of(ModuleMethod method, ulong item, bool onlyResults)
    {
        var found = new Completed();
        Add(found, method, item, onlyResults);
        return found;
    }

    private void Add(Completed found, ModuleMethod method, ulong item, bool onlyResults = false)
        => Add(found, method, FieldsAt.Of(target, item) is { } fields ? new FieldMemory(fields) : new ThreadMemory(0), onlyResults);

    private void Add(Completed found, ModuleMethod method, FrameMemory memory, bool onlyResults)
    {
        var values = new SymbolValues(target, entries, memory);
        foreach (Symbol completed in summaries.Of(method, 0).Uses[FrameUse.Completes].Where(completed => !onlyResults || completed.Number == 0))
            Add(found, completed, values);
    }

    private void AddCalled(Completed found, Symbol called, SymbolValues values)
    {
        ulong[] all = values.ObjectOf(called) is not 0 and var one ? [one] : ContainerOf(called, values) is not 0 and var container ? [.. mailboxes.DelegatesIn(container)] : [];
        foreach (ulong item in all)
        {
            if (delegates.MethodOf(item) is { Module.IsFramework: false } method)
                Add(found, method, method.Facts.IsStatic ? 0 : delegates.BoundTo(item));
        }
    }

    private void AddDisposed(Completed found, FieldsAt item, int depth)
    {
        // It stands at a yield, and does then what its finally says.
        if (depth < IteratorLimit && iterators.RestOf(item) is { } rest)
            Add(found, rest, new FieldMemory(item), depth + 1);
        foreach (ModuleMethod method in releasers.DisposalsOf(item.Type))
            Add(found, method, new FieldMemory(item), onlyResults: false);
    }

    private void Add(Completed found, Symbol completion, SymbolValues values, FlowState? before = null, FrameMemory? memory = null)
    {
        if (completion.Kind != SymbolKind.Completion)
            return;
        Symbol of = completion.Parts[0];
        bool isQueue = PromiseCalls.IsQueue(completion.Text);
        ulong[]? items = ObjectsOf(of, values);
        foreach (ulong item in items ?? [])
            found.Objects.UnionWith(isQueue ? [mailboxes.StandsFor(completion.Text == PromiseCalls.Pipe ? FrameUse.Drains : FrameUse.Reads, item)] : AllWaitedFor(item));
        // What a loop has taken out of a collection may be the last one, with which it is done, and it will take out the next.
        if (items is not null && !IsTakenOut(of))
            return;
        if (items is null && IsTakenOut(of))
            AddTakenOut(found, completion, before, memory);
        if (ContainerOf(of, values) is not 0 and var container && Inside(container, completion.Text) is var inside && (inside.Length > 0 || !isQueue))
            found.Objects.UnionWith(inside);
        else if (items is not null)
            return;
        else if (!isQueue && of.Kind is SymbolKind.New or SymbolKind.Local or SymbolKind.Argument && OnlySource(memory, completion.Text) is not 0 and var source)
            found.Objects.Add(source);
        else if (!values.IsNull(of) && (isQueue ? !QueueCalls.IsMade(of) || IsThere(of, before) : !PromiseCalls.IsMade(of) || IsKnown(of, before)))
            found.Unknown.Add(completion.Text);
        else if (!isQueue && PromiseCalls.IsMade(of))
            AddMadeWith(found, completion.Text, values, before, memory);
    }

    // What a constructor makes is there if its object is.
    private void AddMadeWith(Completed found, string type, SymbolValues values, FlowState? before, FrameMemory? memory)
    {
        Symbol[] made = [.. Variables(before).Where(value => value.Kind == SymbolKind.New).DistinctBy(value => value.Key)];
        if (made.Length > 0)
            found.Objects.UnionWith(PromisesNear([.. made.Select(values.ObjectOf).Where(item => item != 0), .. memory?.Unnamed ?? []], type));
    }

    // What the loop has in hand is no longer in the collection: a thread has it somewhere, it or what has it.
    private void AddTakenOut(Completed found, Symbol completion, FlowState? before, FrameMemory? memory)
    {
        ulong[] taken = [.. PromisesNear(memory?.Unnamed ?? [], completion.Text)];
        found.Objects.UnionWith(taken);
        if (taken.Length == 0 && memory is not null && Inner(completion.Parts[0]).Any(part => IsThere(part, before)))
            found.Unknown.Add(completion.Text);
    }

    // Of a type, that some objects are or have.
    private IEnumerable<ulong> PromisesNear(IEnumerable<ulong> items, string type)
        => mailboxes.PromisesIn(items.Distinct(), distance: 1).Where(task => SourceTypes.CanBe(type, FieldsAt.Of(target, task)?.Type.Name));

    private static IEnumerable<Symbol> Inner(Symbol symbol)
    {
        for (Symbol? at = symbol; at is not null; at = at.Kind is SymbolKind.Field && at.Parts.Length > 0 ? at.Parts[0] : null)
            yield return at;
    }

    // The object of a symbol, or those of all objects of the class of which it is a field; null if that cannot be told.
    private ulong[]? ObjectsOf(Symbol of, SymbolValues values)
        => values.ObjectOf(of) is not 0 and var item ? [item]
            : IsOfInstances(of) is { Module: { } module, Number: var type } && target.Origin.CanSearchHeap()
                ? [.. Instances(module, type).Select(instance => new SymbolValues(target, entries, new ThreadMemory(instance)).ObjectOf(Replaced(of))).Where(one => one != 0)]
                : null;

    // Of a lock of the program's own that does not say that it is taken, whose promises are waited for, those in its queue.
    private IEnumerable<ulong> AllWaitedFor(ulong item) => own.QueuedAt(item).Append(WaitedFor(item));

    // The promise of a type that a frame refers to, by its TaskCompletionSource or, in optimised code, itself; 0 if there are none or several. What it will use is among that.
    private ulong OnlySource(FrameMemory? memory, string type)
    {
        ulong[] tasks = [.. (memory?.Unnamed ?? []).Distinct().Select(PromiseOf).Where(task => task != 0 && SourceTypes.CanBe(type, FieldsAt.Of(target, task)?.Type.Name)).Distinct()];
        return tasks is [var only] ? only : 0;
    }

    private ulong PromiseOf(ulong item)
        => WaitedFor(item) is var task && task != item ? task : FieldsAt.Of(target, item)?.Type.Name is { } name && (name == Promise || (name.StartsWith(Promise + '<', StringComparison.Ordinal) && !name.Contains('+', StringComparison.Ordinal))) ? item : 0;

    // What is made from here on, nobody waits for now.
    private static bool IsKnown(Symbol made, FlowState? before)
    {
        while (made.Kind != SymbolKind.New && made.Parts.Length > 0)
            made = made.Parts[0];
        return IsThere(made, before);
    }

    // In a variable, or on the stack of IL.
    private static bool IsThere(Symbol made, FlowState? before) => Variables(before).Any(value => value.Key == made.Key);

    private static IEnumerable<Symbol> Variables(FlowState? before) => before is null ? [] : before.Locals.Values.Concat(before.Fields.Values).Concat(before.Stack);

    /// <summary>What is waited for: of a promise its task.</summary>
    public ulong WaitedFor(ulong item)
        => FieldsAt.Of(target, item) is { } fields && BaseTypes.Of(fields.Type).FirstOrDefault(type => type.Name?.StartsWith(PromiseCalls.Source, StringComparison.Ordinal) == true)?.GetFieldByName("_task") is { Offset: >= 0 } task
            && target.Memory.TryReadPointer(fields.Address + (ulong)task.Offset, out ulong promise) ? promise : item;

    // The collection in which it stands, as near as that is known.
    private static ulong ContainerOf(Symbol symbol, SymbolValues values)
    {
        bool isIn = false;
        for (Symbol at = symbol; ; at = at.Parts[0])
        {
            if (isIn && values.ObjectOf(at) is not 0 and var found)
                return found;
            if (at.Kind is SymbolKind.Element or SymbolKind.Item or SymbolKind.Entry or SymbolKind.Awaited || PromiseCalls.IsGetter(at))
                isIn = true;
            else if (at.Kind != SymbolKind.Field)
                return 0;
        }
    }

    private static bool IsTakenOut(Symbol symbol)
        => symbol.Kind is SymbolKind.Item or SymbolKind.Awaited || PromiseCalls.IsGetter(symbol) || (symbol.Kind == SymbolKind.Field && IsTakenOut(symbol.Parts[0]));

    // Promises, or channels. Pipes are not looked for: which of them it is, is unknown then.
    private ulong[] Inside(ulong container, string text)
    {
        if (text == PromiseCalls.Pipe)
            return [];
        bool areChannels = text == PromiseCalls.Channel;
        if (!_inside.TryGetValue((container, areChannels), out ulong[]? known))
            _inside[(container, areChannels)] = known = [.. (areChannels ? mailboxes.ChannelsIn(container) : mailboxes.PromisesIn(container)).Distinct()];
        return known;
    }

    // The class of whose objects, whichever, it is a field.
    private static Symbol? IsOfInstances(Symbol symbol)
        => symbol.Kind == SymbolKind.Instance ? symbol : symbol.Kind == SymbolKind.Field ? IsOfInstances(symbol.Parts[0]) : null;

    private static Symbol Replaced(Symbol symbol) => symbol.Kind == SymbolKind.Instance ? Symbol.Argument(0) : symbol.With([Replaced(symbol.Parts[0])]);

    private ulong[] Instances(LoadedModule module, int type)
    {
        if (!_instances.TryGetValue((module, type), out ulong[]? known))
        {
            ClrType? wanted = TypeLookup.Of(target.Runtime, module.MethodTableOf(type));
            bool Is(ClrType item) => BaseTypes.Of(item).Any(level => level.MetadataToken == wanted!.MetadataToken && level.Module?.Address == wanted.Module?.Address);
            _instances[(module, type)] = known = wanted is null ? [] : [.. objects.Of(Is).Select(item => item.Address).Take(InstanceLimit)];
        }
        return known;
    }
}
