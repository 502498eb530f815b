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
/// <param name="summaries">Has code.</param>
/// <param name="modules">Those of the program.</param>
internal sealed class LockExits(MethodSummaries summaries, LoadedModules modules)
{
    private const int DepthLimit = 3;

    private static readonly string[] Types = ["System.Threading.Monitor", "System.Threading.Lock", "System.Threading.ReaderWriterLockSlim", "System.Threading.SpinLock"];

    private readonly Dictionary<(LoadedModule Module, int Token, int Depth, bool IsHalf), bool> _known = [];
    private bool? _doesAnyDisposal;

    /// <summary>A method may, by what it calls apart from the calls in which it is; what the JIT has inlined there has no frame of its own that could be asked.</summary>
    /// <param name="method">The method.</param>
    /// <param name="calls">IL offsets of these calls.</param>
    /// <param name="deeper">The next deeper frame; null if it is not known.</param>
    public bool MayExit(ModuleMethod method, IReadOnlyList<int> calls, CalleeName? deeper)
    {
        if ((method.Facts.ImplAttributes & MethodImplAttributes.Synchronized) != 0 || summaries.CodeOf(method) is not { } code)
            return !method.Module.IsFramework;
        foreach (var instruction in code.Instructions)
        {
            if (!instruction.IsCall || code.Method.Module.Metadata?.CalleeOf(instruction.Token, instruction.OpCode) is not { } callee)
                continue;
            if (calls.Contains(instruction.Offset))
            {
                if (!(deeper is { } frame && CalleeComparer.CanCall(callee, frame)) && summaries.Resolve(code.Method.Module, callee) is { } inlined && Exits(inlined, 0, isHalf: false))
                    return true;
                continue;
            }
            if (IsExit(callee))
                return true;
            // What a framework calls is not asked: it releases what it has taken.
            if (!method.Module.IsFramework && (callee.IsDelegateInvoke || (LockCalls.IsDispose(callee) && LockCalls.IsDisposable(callee.Type) && DoesAnyDisposal()) || (summaries.Resolve(code.Method.Module, callee) is { } called ? Exits(called, 1, isHalf: true) : summaries.OpenBodies(code.Method.Module, callee).Any(body => Exits(body, 1, isHalf: true)))))
                return true;
        }
        return false;
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
