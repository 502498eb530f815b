using System.Reflection.Metadata;
using Async2.Analysis.Metadata.IL;

namespace Async2.Analysis.Metadata.Awaits;

/// <summary>
/// Finds where that was opened which <c>await using</c> and <c>await foreach</c> dispose: the compiler calls DisposeAsync on a variable
/// that it stored once.
/// </summary>
internal static class Disposals
{
    // From a copy to the variable itself.
    private const int HopLimit = 4;

    /// <summary>Offset of the store; null where the call disposes nothing, or something else than a variable.</summary>
    /// <param name="code">The method.</param>
    /// <param name="call">Position of the call.</param>
    /// <param name="callee">What it calls.</param>
    public static int? OpenedBy(List<ILInstruction> code, int call, CalleeRef? callee)
    {
        if (callee is not { Name: "DisposeAsync" or "System.IAsyncDisposable.DisposeAsync", ParameterCount: 0 }) return null;
        var load = call - 1;
        if (load > 0 && code[load].OpCode == ILOpCode.Constrained) load--;
        int? found = null;
        for (var hop = 0; hop < HopLimit && load > 0 && StoreBefore(code, load) is { } store; hop++)
        {
            found = code[store].Offset;
            load = store - 1;
        }

        return found;
    }

    private static int? StoreBefore(List<ILInstruction> code, int load)
    {
        var variable = ILVariable.Loads(code[load]) ?? ILVariable.LoadsAddress(code[load]);
        var field = code[load].OpCode is ILOpCode.Ldfld or ILOpCode.Ldflda ? code[load].Token : 0;
        if (variable is null && field == 0) return null;
        for (var i = load - 1; i > 0; i--)
        {
            var isStore = variable is not null ? ILVariable.Stores(code[i]) == variable : code[i].OpCode == ILOpCode.Stfld && code[i].Token == field;
            if (isStore && code[i - 1].OpCode != ILOpCode.Ldnull) return i;
        }

        return null;
    }
}
