using System.Reflection;
using System.Reflection.Metadata;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Holders.Flow;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Metadata.IL;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Holders;

/// <summary>Whether something that is neither suspended nor runs completes a promise.</summary>
internal enum Later
{
    /// <summary>Nothing leads to code that does.</summary>
    Never,

    /// <summary>
    /// Only a virtual method does that the program's own code calls, by an interface or base class of its own: of what is suspended or runs, that is known. Or a method that stands somewhere for now, and may be
    /// called again. Or something of which it is not known what it completes.
    /// </summary>
    Perhaps,

    /// <summary>Something does.</summary>
    Surely,
}

/// <summary>
/// What may complete a promise, or release a semaphore, although it is neither suspended nor runs (decision 69). All code of the program has to be called by a frame, which is asked itself, or by something else: a
/// delegate that a root reaches, or a framework, by a virtual method of an object or a public one of a controller. What is called from there, however far, may happen at any time. Only asked when
/// something hangs on that, because it reads all objects.
/// </summary>
/// <param name="target">The target.</param>
/// <param name="objects">Lists objects.</param>
/// <param name="modules">Its modules.</param>
/// <param name="summaries">Has code.</param>
/// <param name="reader">Tells which objects methods complete.</param>
/// <param name="delegates">What delegates call.</param>
/// <param name="findDead">Finds those objects that no root reaches.</param>
/// <param name="standing">Methods that are suspended or run.</param>
internal sealed class LateCompleters(Target target, IAllObjects objects, LoadedModules modules, MethodSummaries summaries, CompletionReader reader, DelegateTargets delegates, Func<IReadOnlyList<ulong>, IReadOnlySet<ulong>> findDead, IReadOnlySet<(LoadedModule Module, int Token)> standing)
{
    private const int InstanceLimit = 2000;
    private const int NameLimit = 200_000;

    private static readonly string[] PlainBases = ["System.Object", "System.ValueType", "System.Exception", "System.EventArgs", "System.Attribute", "System.Enum"];

    // Whatever is not seen by then may be one.
    private readonly WorkLimit _limit = new(TimeSpan.FromSeconds(3));
    private readonly Dictionary<(LoadedModule Module, int Token), ModuleMethod> _direct = [];
    private readonly Dictionary<(LoadedModule Module, int Type), List<ulong>> _instances = [];
    private readonly Dictionary<(LoadedModule Module, int Token), ModuleMethod> _reached = [];
    private readonly Queue<ModuleMethod> _ahead = new();
    private readonly List<ModuleMethod> _weak = [];
    private readonly Completed _found = new(), _perhaps = new();
    private readonly HostedServices _services = new(target);
    private readonly List<ModuleMethod> _bodies = [];
    private readonly Lazy<HashSet<string>> _ownNames = new(() => [.. modules.OfUser().SelectMany(module => module.Metadata?.AbstractNames(NameLimit) ?? [])]);
    private bool _isSearched, _isCut, _isWeak, _startsServices;

    /// <summary>Methods from which others are called, too: of those that are suspended or run, whatever part of them is still to come.</summary>
    public IReadOnlyList<ModuleMethod> Begun { get; init; } = [];

    /// <summary>
    /// What the host does when it goes on does not count: services that have not begun, as it starts one after the other, and callbacks of <c>ApplicationStarted</c> and <c>ApplicationStopped</c>.
    /// </summary>
    public bool HoldsServices { get; init; }

    /// <summary>Delegates that are about to be called once more, whether their method is suspended or not.</summary>
    public IReadOnlySet<ulong> Called { get; init; } = new HashSet<ulong>();

    /// <summary>Whether something may complete it later.</summary>
    /// <param name="awaited">Address of the promise, semaphore or source.</param>
    /// <param name="isOfType">It may be of a type of TaskCompletionSource.</param>
    public Later MayComplete(ulong awaited, Func<string, bool> isOfType)
    {
        SearchOnce();
        return _found.Objects.Contains(awaited) ? Later.Surely : _isCut || _perhaps.Objects.Contains(awaited) || _found.Unknown.Concat(_perhaps.Unknown).Any(isOfType) ? Later.Perhaps : Later.Never;
    }

    /// <summary>It was searched to the end.</summary>
    public bool IsWhole
    {
        get
        {
            SearchOnce();
            return !_isCut;
        }
    }

    /// <summary>Something leads to a method, or that is not known.</summary>
    public bool Reaches(ModuleMethod method)
    {
        SearchOnce();
        return _isCut || _reached.ContainsKey(method.Key);
    }

    private void SearchOnce()
    {
        if (!_isSearched)
            _isCut = !Search();
        _isSearched = true;
    }

    private bool Search()
    {
        foreach (ModuleMethod method in Begun)
            Reach(method);
        foreach ((LoadedModule module, int type, ulong table) in modules.TypesOfUser())
        {
            if (_limit.IsOver)
                return false;
            foreach (ModuleMethod method in module.MethodsOf(type).Where(method => method.Facts.RawName != "MoveNext"))
            {
                if (summaries.CodeOf(method)?.Callees().Any(callee => LockCalls.Is(FrameUse.Completes, callee)) == true)
                    _direct[method.Key] = method;
                // A controller, a hub, a page: it is called by name.
                if ((method.Facts.Attributes & MethodAttributes.MemberAccessMask) == MethodAttributes.Public && method.Facts is { IsStatic: false, RawName: not ".ctor" } && TypeLookup.Of(target.Runtime, table) is { } clrType && DerivesFromFramework(clrType))
                    Reach(method);
            }
        }
        if (!Objects())
            return false;
        CompleteReached(_found);
        _isWeak = true;
        foreach (ModuleMethod method in _weak.ToArray())
            Reach(method, isAgain: true);
        CompleteReached(_perhaps);
        // Whose service, once more, is not known.
        foreach (ModuleMethod method in _startsServices ? _bodies : [])
            Reach(method, isAgain: true);
        CompleteReached(_perhaps);
        return !_limit.IsOver;
    }

    private void CompleteReached(Completed found)
    {
        while (!_limit.IsOver && _ahead.TryDequeue(out ModuleMethod? method))
            Follow(method);
        foreach ((LoadedModule Module, int Token) key in _direct.Keys.Where(_reached.ContainsKey).ToArray())
        {
            Complete(_direct[key], found);
            _direct.Remove(key);
        }
    }

    private void Reach(ModuleMethod method, bool isAgain = false)
    {
        if (method.Module.IsFramework || _reached.ContainsKey(method.Key))
            return;
        if (!isAgain && !_isWeak && standing.Contains((summaries.CodeOf(method)?.Method ?? method).Key))
        {
            _weak.Add(method);
            return;
        }
        _reached[method.Key] = method;
        _ahead.Enqueue(method);
    }

    private bool DerivesFromFramework(ClrType type)
        => BaseTypes.Of(type).Skip(1).FirstOrDefault(level => level.Module is { } module && modules.Of(module).IsFramework) is { Name: { } name } && !PlainBases.Contains(name);

    // Delegates, objects with virtual methods, and those of classes whose methods complete something.
    private bool Objects()
    {
        if (!target.Origin.CanSearchHeap())
            return false;
        HashSet<(ulong, int)> completing = [.. _direct.Values.Select(method => (TypeLookup.Of(target.Runtime, method.Module.MethodTableOf(method.Facts.DeclaringToken))?.Module?.Address ?? 0, method.Facts.DeclaringToken))];
        var calling = new List<ulong>();
        var held = new HashSet<ulong>();
        var kinds = new Dictionary<ClrType, (bool IsDelegate, bool IsService, List<ulong>[] Lists)>();
        bool IsWanted(ClrType type)
        {
            if (_limit.IsOver)
                return false;
            (bool IsDelegate, bool IsService, List<ulong>[] Lists) kind = kinds[type] = (DelegateTargets.IsDelegate(type), BodiesOf(type).Any() && HostedServices.IsService(type), [.. Levels(type).Where(level => completing.Contains((level.ClrModule.Address, level.Token))).Select(level => ListOf(level.Module, level.Token))]);
            foreach ((LoadedModule module, _, int token) in Levels(type))
                Virtual(module, token, kind.IsService);
            return kind.IsDelegate || kind.Lists.Length > 0 || kind.IsService || (HoldsServices && HostedServices.IsLifetime(type));
        }
        foreach ((ulong address, ClrType type) in objects.Of(IsWanted))
        {
            foreach (List<ulong> list in kinds[type].Lists)
                list.Add(address);
            held.UnionWith(HoldsServices && HostedServices.IsLifetime(type) ? _services.CallbacksOf(address) : []);
            foreach (ModuleMethod body in kinds[type].IsService && !HoldsServices && _services.IsToCome(address, type) ? BodiesOf(type) : [])
                Reach(body);
            if (kinds[type].IsDelegate && delegates.MethodOf(address) is { } method && (!method.Module.IsFramework || Completes(method)))
                calling.Add(address);
        }
        if (_limit.IsOver)
            return false;
        calling.RemoveAll(held.Contains);
        IReadOnlySet<ulong> dead = calling.Count == 0 ? new HashSet<ulong>() : findDead(calling);
        foreach (ulong item in calling.Where(item => !dead.Contains(item)))
        {
            if (delegates.MethodOf(item) is { Module.IsFramework: false } method)
                Reach(method, Called.Contains(item));
            else
                _found.Objects.Add(reader.WaitedFor(delegates.BoundTo(item)));
        }
        return true;
    }

    // A delegate of the framework's own method, on the promise itself: token.Register(source.SetResult).
    private static bool Completes(ModuleMethod method)
        => method.Facts is { IsStatic: false, RawName: var name, DeclaringType.FullName: var type } && PromiseCalls.Completes(type, name);

    private IEnumerable<(LoadedModule Module, ClrModule ClrModule, int Token)> Levels(ClrType type)
        => BaseTypes.Of(type).Where(level => level is { Module: not null, IsArray: false }).Select(level => (modules.Of(level.Module!), level.Module!, (int)level.MetadataToken)).Where(level => !level.Item1.IsFramework);

    private List<ulong> ListOf(LoadedModule module, int type) => _instances.TryGetValue((module, type), out List<ulong>? list) ? list : _instances[(module, type)] = [];

    private IEnumerable<ModuleMethod> BodiesOf(ClrType type) => Levels(type).SelectMany(level => level.Module.MethodsOf(level.Token)).Where(method => HostedServices.IsBody(method.Facts));

    // Disposal comes when all is over, or from a frame, which is asked itself.
    private void Virtual(LoadedModule module, int type, bool isService)
    {
        foreach (ModuleMethod method in module.MethodsOf(type).Where(method => method.Facts is { IsVirtual: true, IsAbstract: false, RawName: not ("MoveNext" or "Finalize") }))
        {
            if (isService && HostedServices.IsBody(method.Facts))
                _bodies.Add(method);
            else if (Releasers.IsDisposal(method.Facts) || _ownNames.Value.Contains(OpenCalls.NameOf(method.Facts.RawName)))
                _weak.Add(method);
            else
                Reach(method);
        }
    }

    private void Follow(ModuleMethod method)
    {
        if (summaries.CodeOf(method) is not { } code)
            return;
        LoadedModule from = code.Method.Module;
        foreach (ILInstruction instruction in code.Instructions)
        {
            bool isTaken = instruction.OpCode is ILOpCode.Ldftn or ILOpCode.Ldvirtftn;
            if ((!isTaken && !instruction.IsCall && instruction.OpCode != ILOpCode.Newobj) || from.Metadata?.CalleeOf(instruction.Token, isTaken ? ILOpCode.Call : instruction.OpCode) is not { } callee)
                continue;
            _startsServices |= HostedServices.IsStart(callee);
            if (summaries.Resolve(from, callee) is { } called)
                Reach(called);
            else
                foreach (ModuleMethod body in summaries.OpenBodies(from, callee))
                    Reach(body);
        }
    }

    private void Complete(ModuleMethod method, Completed found)
    {
        // The object of a constructor is a new one.
        List<ulong> items = method.Facts.IsStatic || method.Facts.RawName == ".ctor" ? [0] : ListOf(method.Module, method.Facts.DeclaringToken);
        _isCut |= items.Count > InstanceLimit;
        bool isDisposal = Releasers.IsDisposal(method.Facts);
        foreach (ulong item in items.Take(InstanceLimit))
        {
            Completed completed = reader.Of(method, item, isDisposal);
            found.Objects.UnionWith(completed.Objects);
            found.Unknown.UnionWith(completed.Unknown);
        }
    }
}
