using System.Reflection.Metadata;
using Async2.Analysis.Metadata.IL;

namespace Async2.Analysis.Metadata.Awaits;

/// <summary>Looks back in IL for the call that probably made what is awaited. A hint: it does not follow jumps.</summary>
internal sealed class AwaitOrigins(CalleeCache callees, List<ILInstruction> code)
{
    private const int StoreReach = 64;
    private const int AwaiterReach = 16;

    /// <summary>
    /// The call that made the value on top of the stack: the one right before, looking through ConfigureAwait and its argument, or
    /// the one before the last store to the variable that is loaded. -1 if it is neither.
    /// </summary>
    public int OfValue(int index)
    {
        var at = index - 1;
        if (at >= 2 && CalleeAt(at) is { } last && AsyncHelper.IsConfigureAwait(last)) at -= 2;
        if (at >= 1 && code[at].OpCode == ILOpCode.Dup) at--;
        if (at < 0) return -1;
        if (CalleeAt(at) is { } callee) return callee.ReturnsNothing ? -1 : at;
        return (ILVariable.Loads(code[at]) ?? ILVariable.LoadsAddress(code[at])) is { } variable ? StoredBy(variable, at) : -1;
    }

    /// <summary>The call that made the awaitable whose awaiter is used at an instruction, else the call of its GetAwaiter; -1 for none.</summary>
    public int OfAwaiter(int index)
    {
        for (var i = index - 1; i >= 0 && i > index - AwaiterReach; i--)
        {
            if (CalleeAt(i) is not { Name: "GetAwaiter" }) continue;
            var made = OfValue(i);
            // A configured value task is stored before it is asked for its awaiter.
            if (made >= 0 && CalleeAt(made) is { } configure && AsyncHelper.IsConfigureAwait(configure)) made = OfValue(made + 1);
            return made >= 0 ? made : i;
        }

        return -1;
    }

    /// <summary>What an instruction calls; null if it calls nothing that can be read.</summary>
    public CalleeRef? CalleeAt(int index)
    {
        var instruction = code[index];
        if (!instruction.IsCall && instruction.OpCode != ILOpCode.Newobj) return null;
        var constrained = index > 0 && code[index - 1].OpCode == ILOpCode.Constrained;
        return callees.Get(instruction.Token, instruction.OpCode, constrained);
    }

    private int StoredBy(int variable, int before)
    {
        for (var i = before - 1; i > 0 && i > before - StoreReach; i--)
        {
            if (ILVariable.Stores(code[i]) == variable) return CalleeAt(i - 1) is { ReturnsNothing: false } ? i - 1 : -1;
        }

        return -1;
    }
}
