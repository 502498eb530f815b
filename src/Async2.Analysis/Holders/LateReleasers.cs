using System.Reflection.Metadata;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Holders.Flow;
using Async2.Analysis.Holders.Kept;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Metadata.IL;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;
using Symbol = Async2.Analysis.Holders.Flow.Symbol;

namespace Async2.Analysis.Holders;

/// <summary>
/// Locks that something may release which is neither suspended nor runs: an object that somebody disposes later, a method that a delegate calls, an
/// iterator between two elements, which is known by itself. What no root reaches releases nothing any more: an exception has left it behind. Only asked before a permit is called lost, because it reads all objects.
/// </summary>
/// <param name="target">The target.</param>
/// <param name="objects">Lists objects.</param>
/// <param name="entries">Reads dictionaries.</param>
/// <param name="modules">Its modules.</param>
/// <param name="summaries">What methods release.</param>
/// <param name="releasers">What disposal releases.</param>
/// <param name="iterators">What iterators hold.</param>
/// <param name="findDead">Finds those objects that no root reaches.</param>
internal sealed class LateReleasers(Target target, IAllObjects objects, DictionaryEntries entries, LoadedModules modules, MethodSummaries summaries, Releasers releasers, HeldIterators iterators, Func<IReadOnlyList<ulong>, IReadOnlySet<ulong>> findDead)
{
    // Whatever it is.
    private const ulong Any = 0;

    // No object is needed.
    private const ulong NoObject = 0;

    private readonly Dictionary<(ulong Module, int Type), List<ModuleMethod>> _called = [];
    private readonly List<(ulong Item, ulong Lock)> _found = [], _iterated = [];
    private readonly List<(ulong Item, LockPlace Place)> _places = [];
    private readonly HashSet<ulong> _locks = [];

    // Whatever is not seen by then may be one.
    private readonly WorkLimit _limit = new(TimeSpan.FromSeconds(2));
    private bool? _isKnown;

    /// <summary>It was not searched to the end.</summary>
    public bool IsCut { get; private set; }

    private bool IsLate => IsCut |= _limit.IsOver;

    /// <summary>Something may release a lock later, or that is not known.</summary>
    public bool MayRelease(ulong address) => !(_isKnown ??= Search()) || _locks.Contains(address);

    /// <summary>Where an iterator stands that holds a lock between two elements, which nothing else releases later; null for none.</summary>
    public LogicalFrame? IteratorWith(ulong address) => MayRelease(address) ? null : _iterated.Where(found => found.Lock == address).Select(found => iterators.FrameOf(found.Item)).FirstOrDefault();

    // False if it is not known of any lock that nothing will release it.
    private bool Search()
    {
        var disposed = new HashSet<(ulong, int)>();
        foreach ((LoadedModule module, int type, ulong table) in modules.TypesOfUser())
        {
            if (IsLate)
                return false;
            if (Read(module, type))
                disposed.Add(KeyOf(TypeLookup.Of(target.Runtime, table)));
        }
        foreach (ModuleMethod method in _called.Values.SelectMany(methods => methods).Where(method => method.Facts.IsStatic))
            Add(NoObject, method, new ThreadMemory(0));
        if (!Objects(disposed))
            return false;
        IReadOnlySet<ulong> dead = Dead();
        if (_found.Exists(found => found.Lock == Any && !dead.Contains(found.Item)))
            return false;
        _iterated.RemoveAll(found => dead.Contains(found.Item));
        _locks.UnionWith(_found.Where(found => !dead.Contains(found.Item)).Select(found => found.Lock));
        return Places([.. _places.Where(place => !dead.Contains(place.Item)).Select(place => place.Place)]);
    }

    private IReadOnlySet<ulong> Dead()
    {
        ulong[] items = [.. _found.Concat(_iterated).Select(found => found.Item).Concat(_places.Select(place => place.Item)).Where(item => item != NoObject).Distinct()];
        return items.Length == 0 ? new HashSet<ulong>() : findDead(items);
    }

    // True if objects of the type are to be looked at.
    private bool Read(LoadedModule module, int type)
    {
        bool releases = false;
        foreach (ModuleMethod method in module.MethodsOf(type))
        {
            bool isKind = Releasers.IsDisposal(method.Facts) || method.Facts.RawName == "MoveNext";
            releases |= isKind && summaries.CanTouchLocks(method);
            foreach (ModuleMethod called in DelegatesIn(method).Where(called => summaries.Releasing.Has(called) && summaries.Of(called, 0).Releases.Count > 0))
                Add(called);
        }
        return releases;
    }

    private void Add(ModuleMethod called)
    {
        (ulong, int) key = KeyOf(TypeLookup.Of(target.Runtime, called.Module.MethodTableOf(called.Facts.DeclaringToken)));
        if (key == default)
            return;
        if (!_called.TryGetValue(key, out List<ModuleMethod>? methods))
            _called[key] = methods = [];
        methods.Add(called);
    }

    private IEnumerable<ModuleMethod> DelegatesIn(ModuleMethod method)
    {
        if (method.Module.BodyOf(method.Facts) is not { } body)
            yield break;
        var tokens = new List<(int Token, ILOpCode OpCode)>();
        var reader = new ILReader(body.Bytes);
        while (reader.MoveNext())
        {
            if (reader.Current.OpCode is ILOpCode.Ldftn or ILOpCode.Ldvirtftn)
                tokens.Add((reader.Current.Token, ILOpCode.Call));
        }
        foreach ((int token, ILOpCode opCode) in tokens)
        {
            if (method.Module.Metadata?.CalleeOf(token, opCode) is { } callee && modules.ResolveOfUser(method.Module, callee) is { } found)
                yield return found;
        }
    }

    private bool Objects(HashSet<(ulong, int)> disposed)
    {
        if (disposed.Count == 0 && _called.Count == 0 && !RateLimits.AreLoaded(target))
            return true;
        if (!target.Origin.CanSearchHeap())
            return false;
        foreach ((ulong address, ClrType type) in objects.Of(type => disposed.Contains(KeyOf(type)) || _called.ContainsKey(KeyOf(type)) || RateLimits.IsLease(type)))
        {
            if (IsLate)
                return false;
            Object(address, new FieldsAt(address + (ulong)target.Memory.PointerSize, type));
        }
        return !IsLate;
    }

    private void Object(ulong address, FieldsAt item)
    {
        foreach (ulong released in iterators.HeldBy(item))
            (released == Any ? _found : _iterated).Add((address, released));
        foreach (ulong released in releasers.ReleasedBy(item))
            _found.Add((address, released));
        var memory = new FieldMemory(item);
        foreach (ModuleMethod method in _called.GetValueOrDefault(KeyOf(item.Type), []).Where(method => !method.Facts.IsStatic))
            Add(address, method, memory);
    }

    // Nobody waits yet for what a call would make first.
    private void Add(ulong item, ModuleMethod method, FrameMemory memory)
    {
        var values = new SymbolValues(target, entries, memory);
        foreach (Symbol symbol in summaries.Of(method, 0).Releases.Where(symbol => symbol.Kind != SymbolKind.New))
        {
            if (values.ObjectOf(symbol) is not 0 and var found)
                _found.Add((item, found));
            else if (LockPlace.Of(symbol, method) is { } place)
                _places.Add((item, place));
            else if (!values.IsEmpty(symbol))
                _found.Add((item, Any));
        }
    }

    // Where it is not known whose field it is that is released: what stands in any field of that name.
    private bool Places(HashSet<LockPlace> places)
    {
        if (places.Count > 0 && !target.Origin.CanSearchHeap())
            return false;
        var known = new Dictionary<ClrType, (ClrInstanceField Field, bool HasMany)[]>();
        bool isInStruct = false;
        bool IsWanted(ClrType type)
        {
            // Fields of structs are not read: one of them may have it.
            isInStruct = isInStruct || places.Any(place => place.IsInStructOf(type));
            return (known[type] = [.. type.Fields.Where(field => field is { IsObjectReference: true, Offset: >= 0 })
                .SelectMany(field => places.Where(place => place.Is(type, field)).Select(place => (field, place.HasMany)))]).Length > 0;
        }
        foreach ((ulong address, ClrType type) in places.Count == 0 ? [] : objects.Of(IsWanted))
        {
            if (isInStruct || IsLate)
                return false;
            foreach ((ClrInstanceField field, bool hasMany) in known[type])
            {
                if (target.Memory.TryReadPointer(address + (ulong)(target.Memory.PointerSize + field.Offset), out ulong found))
                    _locks.UnionWith(hasMany ? entries.ValuesOf(found) : [found]);
            }
        }
        return !isInStruct && !IsLate;
    }

    private static (ulong Module, int Type) KeyOf(ClrType? type) => type?.Module is { } module ? (module.Address, (int)type.MetadataToken) : default;
}

/// <summary>Where a lock stands of which the code does not say whose it is.</summary>
/// <param name="Field">Name of the field; null for the state that somebody gave with a delegate.</param>
/// <param name="HasMany">The field has a dictionary or an array of them.</param>
internal sealed record LockPlace(string? Field, bool HasMany)
{
    /// <summary>Null if it may stand anywhere.</summary>
    public static LockPlace? Of(Symbol symbol, ModuleMethod method) => symbol.Kind switch
    {
        SymbolKind.Field => new(symbol.Text, HasMany: false),
        SymbolKind.Entry or SymbolKind.Element when symbol.Parts[0] is { Kind: SymbolKind.Field } of => new(of.Text, HasMany: true),
        SymbolKind.Argument when symbol.Number > 0 || method.Facts.IsStatic => new(null, HasMany: false),
        _ => null,
    };

    /// <summary>A field of a class is such a place. A delegate's state is kept where it may be anything: in a registration, a timer, a task, an item of a queue.</summary>
    public bool Is(ClrType type, ClrInstanceField field)
        => Field is { } name ? field.Name == name : field.Type?.Name is null or "System.Object" or "System.__Canon" && type.Name?.StartsWith("System.Collections.", StringComparison.Ordinal) != true;

    /// <summary>A struct in an object of the type has such a field.</summary>
    public bool IsInStructOf(ClrType type)
        => Field is { } name && type.Fields.Where(field => field.IsValueType).Select(field => field.Type).Append(type.IsArray && type.ComponentType is { IsValueType: true } ? type.ComponentType : null)
            .Any(part => part is { IsPrimitive: false } && part.Fields.Any(field => field is { IsObjectReference: true } && field.Name == name));
}
