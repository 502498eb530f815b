using Async2.Analysis.Code.Awaits;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Holders.Flow;
using Async2.Analysis.Metadata.Awaits;
using Async2.Analysis.Metadata.IL;

namespace Async2.Analysis.Holders;

/// <summary>
/// In which of its calls a method is that a thread executes, where optimised code does not say: those that lead to the next deeper frame, through no more than what the JIT
/// may have inlined.
/// </summary>
/// <param name="modules">Modules of the target.</param>
/// <param name="summaries">Has code.</param>
internal sealed class PossibleCalls(LoadedModules modules, MethodSummaries summaries)
{
    private const int DepthLimit = 4;

    // What is longer is not inlined; it is a limit of bytes, and an instruction has two.
    private const int InlineLimit = 60;

    private readonly Dictionary<(LoadedModule Module, int Token, CalleeName Called), bool> _leading = [];

    /// <summary>IL offsets of the calls; none if that is not known.</summary>
    /// <param name="method">The method.</param>
    /// <param name="called">The next deeper frame.</param>
    /// <param name="isAtWork">It is a state machine that executes the user's code: before it suspends or ends through its builder, it stores another state.</param>
    public IReadOnlyList<int> In(AsyncMethod method, CalleeName? called, bool isAtWork)
        => called is { } name && method.Facts is { } facts && summaries.CodeOf(new ModuleMethod(method.Module, facts)) is { } code
            ? [.. code.Instructions.Where(instruction => IsPossible(code, instruction, name, 0) && !(isAtWork && IsOfBuilder(code, instruction))).Select(instruction => instruction.Offset).Order()] : [];

    private static bool IsOfBuilder(MethodCode code, ILInstruction instruction)
        => code.IsMachine && code.Method.Module.Metadata?.CalleeOf(instruction.Token, instruction.OpCode) is { } callee && MachineFields.IsBuilder(callee);

    private bool IsPossible(MethodCode code, ILInstruction instruction, CalleeName called, int depth)
        => instruction.IsCall && code.Method.Module.Metadata?.CalleeOf(instruction.Token, instruction.OpCode) is { } callee && LeadsTo(code.Method.Module, callee, called, depth);

    private bool LeadsTo(LoadedModule from, CalleeRef callee, CalleeName called, int depth)
        => CalleeComparer.CanCall(callee, called) || (depth < DepthLimit && modules.Resolve(from, callee) is { } method && LeadsTo(method, called, depth + 1));

    private bool LeadsTo(ModuleMethod method, CalleeName called, int depth)
    {
        (LoadedModule, int, CalleeName) key = (method.Module, method.Facts.Token, called);
        if (!_leading.TryGetValue(key, out bool leads))
        {
            _leading[key] = false;
            _leading[key] = leads = MethodCode.Of(method) is { Instructions.Count: <= InlineLimit } code && code.Instructions.Any(instruction => IsPossible(code, instruction, called, depth));
        }
        return leads;
    }
}
