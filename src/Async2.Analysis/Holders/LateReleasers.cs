using System.Reflection.Metadata;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Holders.Flow;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Metadata.IL;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;
using Symbol = Async2.Analysis.Holders.Flow.Symbol;

namespace Async2.Analysis.Holders;

/// <summary>
/// Locks that something may release which is neither suspended nor runs: an object that somebody disposes later, a method that a delegate calls, an
/// iterator between two elements. Only asked before a permit is called lost, because it reads all objects.
/// </summary>
internal sealed class LateReleasers(Target target, DictionaryEntries entries, LoadedModules modules, MethodSummaries summaries, Releasers releasers, HeldIterators iterators)
{
    private readonly Dictionary<(ulong Module, int Type), List<ModuleMethod>> _called = [];
    private readonly HashSet<ulong> _locks = [];
    private readonly HashSet<string> _unnamed = [];

    // Whatever is not seen by then may be one.
    private readonly WorkLimit _limit = new(TimeSpan.FromSeconds(2));

    /// <summary>It was not searched to the end.</summary>
    public bool IsCut { get; private set; }

    private bool IsLate => IsCut |= _limit.IsOver;

    /// <summary>The locks; null if it is not known of any that nothing will release it.</summary>
    public IReadOnlySet<ulong>? Locks()
    {
        var disposed = new HashSet<(ulong, int)>();
        foreach ((LoadedModule module, int type, ulong table) in LoadedTypes())
        {
            if (IsLate)
                return null;
            if (Read(module, type))
                disposed.Add(KeyOf(TypeLookup.Of(target.Runtime, table)));
        }
        return Statics() && Objects(disposed) && Unnamed() ? _locks : null;
    }

    private IEnumerable<(LoadedModule Module, int Type, ulong Table)> LoadedTypes()
        => modules.OfUser().SelectMany(module => module.LoadedTypes.Select(type => (module, type.Key, type.Value)));

    // True if objects of the type are to be looked at.
    private bool Read(LoadedModule module, int type)
    {
        bool releases = false;
        foreach (int token in module.Metadata?.MethodsOf(type) ?? [])
        {
            if (module.Metadata!.FactsOf(token) is not { } facts)
                continue;
            var method = new ModuleMethod(module, facts);
            bool isKind = Releasers.IsDisposal(facts) || facts.RawName == "MoveNext";
            releases |= isKind && summaries.CanTouchLocks(method);
            foreach (ModuleMethod called in DelegatesIn(method).Where(called => summaries.CanTouchLocks(called) && summaries.Of(called, 0).Releases.Count > 0))
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
            if (method.Module.Metadata?.CalleeOf(token, opCode) is { } callee && modules.Resolve(method.Module, callee) is { Module.IsFramework: false } found)
                yield return found;
        }
    }

    // They need no object.
    private bool Statics() => _called.Values.SelectMany(methods => methods).Where(method => method.Facts.IsStatic).All(method => Add(method, new ThreadMemory(0)));

    private bool Objects(HashSet<(ulong, int)> disposed)
    {
        if (disposed.Count == 0 && _called.Count == 0)
            return true;
        var known = new Dictionary<ClrType, bool>();
        foreach (ClrObject item in target.Runtime.Heap.EnumerateObjects())
        {
            if (item.Type is not { } type)
                continue;
            if (!known.TryGetValue(type, out bool isKnown))
            {
                if (IsLate)
                    return false;
                known[type] = isKnown = disposed.Contains(KeyOf(type)) || _called.ContainsKey(KeyOf(type));
            }
            if (isKnown && !Object(new FieldsAt(item.Address + (ulong)target.Memory.PointerSize, type)))
                return false;
        }
        return !IsLate;
    }

    // Where it is not known whose field it is that is released: what stands in any field of that name.
    private bool Unnamed()
    {
        var known = new Dictionary<ClrType, ClrInstanceField[]>();
        foreach (ClrObject item in _unnamed.Count == 0 ? [] : target.Runtime.Heap.EnumerateObjects())
        {
            if (item.Type is not { } type)
                continue;
            if (!known.TryGetValue(type, out ClrInstanceField[]? fields))
            {
                // Fields of structs are not read: one of them may have it.
                if (IsLate || HasInStruct(type))
                    return false;
                known[type] = fields = [.. type.Fields.Where(field => field is { IsObjectReference: true, Offset: >= 0, Name: { } name } && _unnamed.Contains(name))];
            }
            foreach (ClrInstanceField field in fields)
            {
                if (target.Memory.TryReadPointer(item.Address + (ulong)(target.Memory.PointerSize + field.Offset), out ulong found))
                    _locks.Add(found);
            }
        }
        return !IsLate;
    }

    private bool HasInStruct(ClrType type)
        => type.Fields.Where(field => field.IsValueType).Select(field => field.Type).Append(type.IsArray && type.ComponentType is { IsValueType: true } ? type.ComponentType : null)
            .Any(part => part is { IsPrimitive: false } && part.Fields.Any(field => field is { IsObjectReference: true, Name: { } name } && _unnamed.Contains(name)));

    private bool Object(FieldsAt item)
    {
        if (IsLate || !AddAll(iterators.HeldBy(item)))
            return false;
        _locks.UnionWith(releasers.ReleasedBy(item));
        var memory = new FieldMemory(item);
        return !_called.TryGetValue(KeyOf(item.Type), out List<ModuleMethod>? methods) || methods.Where(method => !method.Facts.IsStatic).All(method => Add(method, memory));
    }

    // Nobody waits yet for what a call would have to make first.
    private bool Add(ModuleMethod method, FrameMemory memory)
    {
        var values = new SymbolValues(target, entries, memory);
        foreach (Symbol symbol in summaries.Of(method, 0).Releases.Where(symbol => symbol.Kind != SymbolKind.New))
        {
            if (values.ObjectOf(symbol) is not 0 and var found)
                _locks.Add(found);
            else if (symbol.Kind == SymbolKind.Field)
                _unnamed.Add(symbol.Text);
            else if (!values.IsEmpty(symbol))
                return false;
        }
        return true;
    }

    private bool AddAll(IReadOnlyList<ulong> found)
    {
        _locks.UnionWith(found);
        return !found.Contains(0UL);
    }

    private static (ulong Module, int Type) KeyOf(ClrType? type) => type?.Module is { } module ? (module.Address, (int)type.MetadataToken) : default;
}
