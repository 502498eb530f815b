using System.Reflection;
using Async2.Analysis.Code.Awaits;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Holders.Flow;
using Async2.Analysis.Metadata.Awaits;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Holders;

/// <summary>
/// Methods that may release a lock that belongs to a thread: a monitor, a <c>Lock</c>, a <c>ReaderWriterLockSlim</c>. Only the owner's own thread can, so if no method on its stack may, and none that is suspended, it was
/// left behind: by an exception, or by an await in between.
/// </summary>
/// <param name="target">The target.</param>
/// <param name="summaries">Has code.</param>
/// <param name="modules">Those of the program.</param>
internal sealed class LockExits(Target target, MethodSummaries summaries, LoadedModules modules)
{
    private const int DepthLimit = 3;

    // A task's state may be any object, and the program may lock that.
    private const string OfThreads = "System.Threading.";
    private const string OfTasks = "System.Threading.Tasks.";

    private static readonly string[] Types = ["System.Threading.Monitor", "System.Threading.Lock", "System.Threading.ReaderWriterLockSlim", "System.Threading.SpinLock"];

    private readonly Dictionary<(LoadedModule Module, int Token, int Depth, bool IsHalf), bool> _known = [];
    private readonly Dictionary<(LoadedModule Module, int Token, int Depth, CalleeName? Deeper), bool?> _ways = [];
    private bool? _doesAnyDisposal;

    /// <summary>A method may, by what it calls apart from the calls in which it is; what the JIT has inlined there has no frame of its own that could be asked.</summary>
    /// <param name="method">The method.</param>
    /// <param name="calls">IL offsets of these calls.</param>
    /// <param name="deeper">The next deeper frame; null if it is not known.</param>
    /// <param name="runs">A thread stands in it that does not block: it may be in any method that was inlined.</param>
    public bool MayExit(ModuleMethod method, IReadOnlyList<int> calls, CalleeName? deeper, bool runs = false)
    {
        if ((method.Facts.ImplAttributes & MethodImplAttributes.Synchronized) != 0 || summaries.CodeOf(method) is not { } code)
            return !method.Module.IsFramework;
        foreach (var instruction in code.Instructions)
        {
            if (!instruction.IsCall || code.Method.Module.Metadata?.CalleeOf(instruction.Token, instruction.OpCode) is not { } callee)
                continue;
            bool isUnderWay = calls.Contains(instruction.Offset);
            // An exit that is under way has not released it yet.
            if (IsExit(callee) || ((isUnderWay || calls.Count == 0) && ExitsInlined(code.Method.Module, callee, deeper, (isUnderWay, runs))))
                return true;
            // What a framework calls is not asked: it releases what it has taken.
            if (!isUnderWay && !method.Module.IsFramework && MayExit(code.Method.Module, callee))
                return true;
        }
        return false;
    }

    /// <summary>What the framework makes for threads has the lock in one of its fields, as <c>SemaphoreSlim.m_lockObjAndDisposed</c>: only its own methods take such a lock, and they release it.</summary>
    /// <param name="owned">The lock.</param>
    /// <param name="objects">Those that the frames hold in which the owner blocks.</param>
    public bool IsOfFramework(ulong owned, IEnumerable<ulong> objects)
        => objects.Select(target.Runtime.Heap.GetObject).Any(item => item is { IsValid: true, Type: { IsArray: false, Module: { } module, Name: { } name } type } && name.StartsWith(OfThreads, StringComparison.Ordinal) && !name.StartsWith(OfTasks, StringComparison.Ordinal) && modules.Of(module).IsFramework
            && type.Fields.Any(field => field.IsObjectReference && field.ReadObject(item.Address, interior: false).Address == owned));

    private bool MayExit(LoadedModule module, CalleeRef callee)
        => callee.IsDelegateInvoke || (LockCalls.IsDispose(callee) && LockCalls.IsDisposable(callee.Type) && DoesAnyDisposal())
            || (summaries.Resolve(module, callee) is { } called ? Exits(called, 1, isHalf: true) : summaries.OpenBodies(module, callee).Any(body => Exits(body, 1, isHalf: true)));

    // The call has no frame of its own if what it names was inlined.
    private bool ExitsInlined(LoadedModule module, CalleeRef callee, CalleeName? deeper, (bool IsUnderWay, bool Runs) caller)
        => !(deeper is { } frame && CalleeComparer.CanCall(callee, frame))
            && ((caller.IsUnderWay && summaries.Resolve(module, callee) is { } inlined && Exits(inlined, 0, isHalf: false)) || ((deeper is not null || caller.Runs) && ExitsOnTheWay(module, callee, deeper, 0) == true));

    // Methods of the framework that were inlined down to the next frame, or to where the thread runs: SemaphoreSlim.WaitAsync, say, and the lock that it takes. Null if they do not lead there.
    private bool? ExitsOnTheWay(LoadedModule from, CalleeRef callee, CalleeName? deeper, int depth)
    {
        if (depth == DepthLimit || modules.Resolve(from, callee) is not { Module.IsFramework: true } inlined)
            return null;
        (LoadedModule, int, int, CalleeName?) key = (inlined.Module, inlined.Facts.Token, depth, deeper);
        if (_ways.TryGetValue(key, out bool? known))
            return known;
        _ways[key] = null;
        if (summaries.CodeOf(inlined) is not { } code)
            return null;
        CalleeRef[] callees = [.. code.Callees()];
        bool?[] ways = [.. callees.Select(next => deeper is { } frame && CalleeComparer.CanCall(next, frame) ? false : ExitsOnTheWay(inlined.Module, next, deeper, depth + 1)).Where(way => way is not null)];
        return _ways[key] = ways.Length == 0 && deeper is not null ? null : ways.Contains(true) || callees.Any(IsExit);
    }

    // What is disposed of, a foreach does not say: an object of some class that has been loaded, since it has the lock already.
    private bool DoesAnyDisposal()
    {
        if (_doesAnyDisposal is null)
        {
            // Whatever is not seen by then may be one.
            var limit = new WorkLimit(TimeSpan.FromSeconds(2));
            _doesAnyDisposal = modules.TypesOfUser().Any(type => limit.IsOver || type.Module.MethodsOf(type.Type).Any(method => Releasers.IsDisposal(method.Facts) && Exits(method, 1, isHalf: true)));
        }
        return _doesAnyDisposal.Value;
    }

    // It releases something; if it has to be one half of a pair, and takes nothing.
    private bool Exits(ModuleMethod method, int depth, bool isHalf)
    {
        (LoadedModule, int, int, bool) key = (method.Module, method.Facts.Token, depth, isHalf);
        if (_known.TryGetValue(key, out bool exits))
            return exits;
        _known[key] = false;
        if (method.Module.IsFramework || summaries.CodeOf(method) is not { } code)
            return false;
        CalleeRef[] callees = [.. code.Callees()];
        return _known[key] = (callees.Any(IsExit) && !(isHalf && callees.Any(IsEnter)))
            || (depth < DepthLimit && callees.Select(callee => summaries.Resolve(code.Method.Module, callee)).OfType<ModuleMethod>().Any(called => Exits(called, depth + 1, isHalf)));
    }

    private static bool IsExit(CalleeRef callee) => (Types.Contains(callee.Type.FullName) && callee.Name.StartsWith("Exit", StringComparison.Ordinal)) || (callee.Type.FullName == "System.Threading.Lock+Scope" && callee.Name == "Dispose");

    private static bool IsEnter(CalleeRef callee) => Types.Contains(callee.Type.FullName) && (callee.Name.StartsWith("Enter", StringComparison.Ordinal) || callee.Name.StartsWith("TryEnter", StringComparison.Ordinal));
}
