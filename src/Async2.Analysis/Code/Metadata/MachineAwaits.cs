using System.Reflection.Metadata;

namespace Async2.Analysis.Code.Metadata;

/// <summary>
/// Finds the awaits in MoveNext of a state machine. What Roslyn (SDK 10.0.401) emits, optimised or not:
/// <code>
///   call X; [ConfigureAwait;] callvirt GetAwaiter; stloc a; ldloca a; call get_IsCompleted; brtrue L
///   ldarg.0; ldc STATE; dup; stloc.0; stfld &lt;&gt;1__state
///   ldarg.0; ldloc a; stfld &lt;&gt;u__N
///   ...; call AwaitUnsafeOnCompleted
/// </code>
/// </summary>
internal static class MachineAwaits
{
    private const string StateField = "<>1__state";
    private const string AwaiterPrefix = "<>u__";

    // Instructions between the constant and the store; between that and the store of the awaiter.
    private const int ConstantWithin = 4;
    private const int AwaiterWithin = 8;

    /// <summary>In IL order, as far as the IL could be read.</summary>
    /// <param name="callees">Names of what is called.</param>
    /// <param name="fieldName">Name of a field by its token; null when it cannot be read.</param>
    /// <param name="il">Body of MoveNext.</param>
    public static IReadOnlyList<MachineAwait> Find(CalleeCache callees, Func<int, string?> fieldName, ReadOnlySpan<byte> il)
    {
        if (il.Length > AwaitSites.MaxILBytes) return [];
        var code = new List<ILInstruction>();
        var reader = new ILReader(il);
        while (reader.MoveNext()) code.Add(reader.Current);
        var origins = new AwaitOrigins(callees, code);
        var found = new List<MachineAwait>();
        for (var i = 0; i < code.Count; i++)
        {
            if (code[i].OpCode != ILOpCode.Stfld || fieldName(code[i].Token) != StateField || StoredAt(code, i) is not (>= 0 and var state)) continue;
            var awaiter = AwaiterAfter(code, i, fieldName);
            // Without an awaiter it is no await: an iterator yields.
            if (awaiter is null) continue;
            var origin = origins.OfAwaiter(i);
            found.Add(new MachineAwait
            {
                State = state,
                Ordinal = found.Count,
                ILOffset = code[i].Offset,
                AwaiterField = awaiter,
                Origin = origin < 0 ? null : origins.CalleeAt(origin),
                OpenedOffset = origin < 0 ? null : Disposals.OpenedBy(code, origin, origins.CalleeAt(origin)),
            });
        }

        return found;
    }

    private static int? StoredAt(List<ILInstruction> code, int store)
    {
        for (var i = store - 1; i >= 0 && i >= store - ConstantWithin; i--)
        {
            if (ILVariable.Constant(code[i]) is { } constant) return constant;
            if (code[i].OpCode != ILOpCode.Dup && ILVariable.Stores(code[i]) is null) return null;
        }

        return null;
    }

    private static string? AwaiterAfter(List<ILInstruction> code, int store, Func<int, string?> fieldName)
    {
        for (var i = store + 1; i < code.Count && i <= store + AwaiterWithin; i++)
        {
            if (code[i].OpCode == ILOpCode.Stfld && fieldName(code[i].Token) is { } name && name.StartsWith(AwaiterPrefix, StringComparison.Ordinal)) return name;
        }

        return null;
    }
}
