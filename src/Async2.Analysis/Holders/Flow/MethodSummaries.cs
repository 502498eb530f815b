using System.Collections.Immutable;
using System.Reflection.Metadata;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Metadata.Awaits;
using Async2.Analysis.Metadata.IL;
using Async2.Analysis.Metadata.Signatures;

namespace Async2.Analysis.Holders.Flow;

/// <summary>What methods do to the locks of their callers, each found out once, a few calls deep; and which methods can release anything.</summary>
internal sealed class MethodSummaries
{
    private const int DepthLimit = 6;
    private const int OwnDepth = 2;

    // Constructors of releasers, and accessors that return locks, are worth a look whatever they call.
    private const int Small = 24;

    private readonly Dictionary<(LoadedModule Module, int Token), MethodSummary> _known = [];
    private readonly Dictionary<(LoadedModule Module, int Token), MethodCode?> _codes = [];
    private readonly Dictionary<(LoadedModule Module, int Token), ModuleMethod?> _callees = [];
    private readonly Dictionary<(LoadedModule Module, int Token), bool> _releasing = [];
    private readonly Dictionary<(LoadedModule Module, int Token), bool> _openTouching = [];
    private readonly Dictionary<(LoadedModule Module, int Token), bool> _openRunning = [];
    private readonly Dictionary<(LoadedModule Module, int Token), bool> _completing = [];
    private readonly Dictionary<(LoadedModule Module, int Token), IReadOnlyList<ModuleMethod>> _openBodies = [];
    private readonly Dictionary<(FrameUse Use, LoadedModule Module, int Token, int Depth), ModuleMethod[]> _users = [];
    private readonly LoadedModules _modules;

    public MethodSummaries(LoadedModules modules) => (_modules, Own, Releasing) = (modules, new(this), new(this));

    /// <summary>Locks of the program's own making.</summary>
    public OwnLocks Own { get; }

    /// <summary>Methods that may release something.</summary>
    public ReleasingMethods Releasing { get; }

    /// <summary>The method that a call names, if its body is what runs; null for methods of the framework and for those that another may override.</summary>
    public ModuleMethod? Resolve(LoadedModule from, CalleeRef callee)
    {
        (LoadedModule, int) key = (from, callee.RawToken);
        if (!_callees.TryGetValue(key, out ModuleMethod? found))
        {
            found = _modules.ResolveOfUser(from, callee);
            _callees[key] = found = found is null ? null : !IsOpen(found, callee) ? found : _modules.Open.BodiesOf(found) is [var only] ? only : null;
        }
        return found;
    }

    /// <summary>A class of the framework of which there are objects: not abstract.</summary>
    public bool IsFrameworkClass(TypeId type) => _modules.IsFrameworkClass(type);

    /// <summary>One of the methods that a call of a virtual method may end in acquires or releases locks of its caller.</summary>
    /// <param name="from">Module of the caller.</param>
    /// <param name="callee">What it names.</param>
    /// <param name="depth">How many callers are being run.</param>
    public bool MayTouchLocks(LoadedModule from, CalleeRef callee, int depth)
    {
        (LoadedModule, int) key = (from, callee.RawToken);
        if (!_openTouching.TryGetValue(key, out bool may))
        {
            _openTouching[key] = false;
            _openTouching[key] = may = _modules.ResolveOfUser(from, callee) is { } found && IsOpen(found, callee)
                && _modules.Open.BodiesOf(found).Any(body => Of(body, depth + 1) is { Releases.Count: > 0 } or { CallsUnknown: true } or { AcquiresLocks: true });
        }
        return may;
    }

    /// <summary>Several bodies may run, and one of them has to do with locks.</summary>
    public bool MayRunLockCode(LoadedModule from, CalleeRef callee, int depth = 0)
    {
        (LoadedModule, int) key = (from, callee.RawToken);
        if (!_openRunning.TryGetValue(key, out bool may))
        {
            _openRunning[key] = false;
            _openRunning[key] = may = _modules.ResolveOfUser(from, callee) is { } found && IsOpen(found, callee) && _modules.Open.BodiesOf(found).Any(body => CanTouchLocks(body, depth + 1));
        }
        return may;
    }

    private static bool IsOpen(ModuleMethod found, CalleeRef callee)
        => found.Facts.IsAbstract || (found.Facts.CanBeOverridden && callee.Dispatch is CallDispatch.Virtual or CallDispatch.Unresolved or CallDispatch.Constrained);

    /// <summary>The code of a method, or that of the state machine which it starts; null if it has none.</summary>
    public MethodCode? CodeOf(ModuleMethod method)
    {
        if (!_codes.TryGetValue(method.Key, out MethodCode? code))
        {
            ModuleMethod body = method.Facts.RawName != "MoveNext" && method.Module.Metadata?.MoveNextStartedBy(method.Facts.Token) is { } moveNext
                && method.Module.Metadata.FactsOf(moveNext) is { } facts ? new(method.Module, facts) : method;
            _codes[method.Key] = code = MethodCode.Of(body);
        }
        return code;
    }

    /// <param name="method">The method.</param>
    /// <param name="depth">How many callers are being run.</param>
    public MethodSummary Of(ModuleMethod method, int depth)
    {
        (LoadedModule, int) key = method.Key;
        if (_known.TryGetValue(key, out MethodSummary? known))
            return known;
        // For as long as it is being run, it does nothing: it may call itself.
        _known[key] = MethodSummary.Nothing;
        if (depth >= DepthLimit)
        {
            _known.Remove(key);
            return MethodSummary.Nothing;
        }
        if (Own.RoleOf(method) is not LockRole.None and var role)
            return _known[key] = MethodSummary.Of(role, CallEffect.IsAsync(method));
        return _known[key] = CodeOf(method) is { } code && (CanTouchLocks(method) || CanComplete(method)) ? Summarize(code, method, new AbstractRun(code, this, depth + 1).Run()) : MethodSummary.Nothing;
    }

    /// <summary>Whether a method, what it calls, or makes a delegate of, can complete a promise or release anything.</summary>
    public bool CanComplete(ModuleMethod method, int depth = 0)
    {
        (LoadedModule, int) key = method.Key;
        if (_completing.TryGetValue(key, out bool known) || depth > DepthLimit)
            return known;
        _completing[key] = false;
        return _completing[key] = !method.Module.IsFramework && CodeOf(method) is { } code && code.Instructions.Any(instruction => CanComplete(code, instruction, depth));
    }

    private bool CanComplete(MethodCode code, ILInstruction instruction, int depth)
    {
        bool isFunction = instruction.OpCode is ILOpCode.Ldftn or ILOpCode.Ldvirtftn;
        if (!isFunction && !instruction.IsCall && instruction.OpCode != ILOpCode.Newobj)
            return false;
        return code.Method.Module.Metadata?.CalleeOf(instruction.Token, isFunction ? ILOpCode.Call : instruction.OpCode) is { } callee
            && (LockCalls.Is(FrameUse.Completes, callee) || (callee.IsDelegateInvoke && depth <= OwnDepth)
                || (Resolve(code.Method.Module, callee) is { } called ? CanComplete(called, depth + 1) || Own.RoleOf(called) == LockRole.Releases : OpenBodies(code.Method.Module, callee).Any(body => CanComplete(body, depth + 1))));
    }

    /// <summary>The bodies in which a call of a virtual method of the program may end, where there are several.</summary>
    public IReadOnlyList<ModuleMethod> OpenBodies(LoadedModule from, CalleeRef callee)
    {
        (LoadedModule, int) key = (from, callee.RawToken);
        if (!_openBodies.TryGetValue(key, out IReadOnlyList<ModuleMethod>? bodies))
        {
            bodies = _modules.ResolveOfUser(from, callee) is { } found && IsOpen(found, callee) ? _modules.Open.BodiesOf(found) : [];
            _openBodies[key] = bodies = bodies.Count > 1 ? bodies : [];
        }
        return bodies;
    }

    /// <summary>Whether a method, or what it calls, can acquire, release or dispose anything: all others need not be run.</summary>
    public bool CanTouchLocks(ModuleMethod method, int depth = 0)
    {
        (LoadedModule, int) key = method.Key;
        if (_releasing.TryGetValue(key, out bool known) || depth > DepthLimit)
            return known;
        _releasing[key] = false;
        bool can = CodeOf(method) is { } code && (Own.RoleOf(method) != LockRole.None || code.Instructions.Count <= Small || code.Instructions.Any(instruction => CanTouch(code, instruction, depth)));
        return _releasing[key] = can;
    }

    /// <summary>Whether a method is one that acquires a lock of the program's own making, or calls one, a few calls deep.</summary>
    public bool MayAcquireOwn(ModuleMethod method, int depth = 0)
    {
        if (Own.RoleOf(method) == LockRole.Acquires)
            return true;
        return depth < OwnDepth && CodeOf(method) is { } code && code.Instructions.Any(instruction => instruction.IsCall && code.Method.Module.Metadata?.CalleeOf(instruction.Token, instruction.OpCode) is { } callee
            && Resolve(code.Method.Module, callee) is { } called && MayAcquireOwn(called, depth + 1));
    }

    /// <summary>Methods that use something in a way, of their own: a method, and what it calls, a few calls deep.</summary>
    public IEnumerable<ModuleMethod> UsersIn(FrameUse use, ModuleMethod method, int depth = 0)
    {
        (FrameUse, LoadedModule, int, int) key = (use, method.Module, method.Facts.Token, depth);
        if (!_users.TryGetValue(key, out ModuleMethod[]? known))
            _users[key] = known = [.. FindUsers(use, method, depth)];
        return known;
    }

    private IEnumerable<ModuleMethod> FindUsers(FrameUse use, ModuleMethod method, int depth)
    {
        if (CodeOf(method) is not { } code)
            return [];
        CalleeRef[] callees = [.. code.Callees()];
        IEnumerable<ModuleMethod> own = callees.Any(callee => LockCalls.Is(use, callee)) ? [code.Method] : [];
        return depth >= OwnDepth ? own : own.Concat(callees.Select(callee => Resolve(code.Method.Module, callee)).OfType<ModuleMethod>().Distinct().SelectMany(called => UsersIn(use, called, depth + 1)));
    }

    private bool CanTouch(MethodCode code, ILInstruction instruction, int depth)
        => (instruction.IsCall || instruction.OpCode == ILOpCode.Newobj)
            && code.Method.Module.Metadata?.CalleeOf(instruction.Token, instruction.OpCode) is { } callee
            && (LockCalls.IsRelease(callee) || LockCalls.IsAcquire(callee) || LockCalls.IsDispose(callee) || LockCalls.IsGive(callee) || QueueCalls.IsRead(callee) || QueueCalls.IsDrain(callee) || QueueCalls.IsTake(callee) || QueueCalls.IsReceive(callee) || QueueCalls.IsFeed(callee) || QueueCalls.IsLink(callee) || LockCalls.IsSignal(callee) || LockCalls.IsSet(callee)
                || (Resolve(code.Method.Module, callee) is { } called ? CanTouchLocks(called, depth + 1) : MayRunLockCode(code.Method.Module, callee, depth)));

    private MethodSummary Summarize(MethodCode code, ModuleMethod method, RunResult run)
    {
        ImmutableArray<string?> parameters = code.IsMachine ? ParametersOf(method) : [];
        Symbol Outside(Symbol symbol) => code.IsMachine ? MachineFields.Outside(symbol, parameters) : symbol;
        Symbol[] returned = [.. run.Returned.Select(Outside).DistinctBy(symbol => symbol.Key)];
        return new MethodSummary
        {
            Acquires = run.Exits.Count == 0 ? [] : [.. run.Exits[0].Must.Values.Where(row => run.Exits.TrueForAll(exit => exit.Must.ContainsKey(row.Lock.Key))).Select(row => Outside(row.Lock))],
            Releases = [.. run.Released.Values.Select(Outside).DistinctBy(symbol => symbol.Key)],
            Gives = [.. run.Given.Values.Select(given => new GivenItem(Outside(given.Channel), Outside(given.Item))).Where(given => !given.Channel.IsUnknown && !given.Item.IsUnknown)],
            Uses = new(use => [.. run.Uses[use].Values.Where(symbol => use != FrameUse.Completes || !PromiseCalls.IsMade(symbol)).Select(Outside).Concat(run.IsCut && use == FrameUse.Completes ? [Symbol.Completion(Symbol.Unknown, Completed.Anything)] : []).DistinctBy(symbol => symbol.Key)]),
            Returns = returned is [var only] ? only : Symbol.Unknown,
            Stored = code.IsMachine ? new Dictionary<string, Symbol>() : run.Stored,
            IsOpaque = run.InvokesDelegate || run.ReleasesUnknown,
            CallsUnknown = run.CallsUnknown,
            IsCut = run.IsCut && CanTouchLocks(method),
        };
    }

    private static ImmutableArray<string?> ParametersOf(ModuleMethod starter)
        => starter.Module.Metadata?.VariablesOf(starter.Facts.Token) is { } variables
            ? [.. variables.HasThis ? ["this"] : Array.Empty<string?>(), .. variables.Parameters.Select(parameter => parameter.Name)] : [];
}
