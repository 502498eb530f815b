using System.Reflection.Metadata;
using Async2.Analysis.Metadata.IL;

namespace Async2.Analysis.Metadata.Awaits;

/// <summary>
/// Finds the awaits in MoveNext of a state machine. What Roslyn (SDK 10.0.401) emits, optimised or not:
/// <code>
///   call X; [ConfigureAwait;] callvirt GetAwaiter; stloc a; ldloca a; call get_IsCompleted; brtrue L
///   ldarg.0; ldc STATE; dup; stloc.0; stfld &lt;&gt;1__state
///   ldarg.0; ldloc a; stfld &lt;&gt;u__N
///   ...; call AwaitUnsafeOnCompleted
/// </code>
/// Visual Basic emits the same with other names. F# (task builder of FSharp.Core 10, inlined):
/// <code>
///   call X; stloc v; ldarg.0; ldloc v; callvirt GetAwaiter; stfld awaiterN; ...; ldflda awaiterN; call get_IsCompleted; ...
///   ldarg.0; ldc STATE; stfld ResumptionPoint
/// </code>
/// </summary>
internal sealed class StateMachineAwaits
{
    // Instructions between the constant and the store; between that and the store of the awaiter.
    private const int ConstantWithin = 4;
    private const int AwaiterWithin = 8;

    // F# stores the awaiter first, and asks it in between.
    private const int AwaiterBefore = 32;

    private StateMachineAwaits(IReadOnlyList<StateMachineAwait> all, IReadOnlySet<int>? states) => (All, States) = (all, states);

    /// <summary>Of IL that cannot be read.</summary>
    public static StateMachineAwaits None { get; } = new([], null);

    /// <summary>In IL order, as far as the IL could be read.</summary>
    public IReadOnlyList<StateMachineAwait> All { get; }

    /// <summary>All numbers that the MoveNext stores as the state of its machine; null if they are unknown.</summary>
    public IReadOnlySet<int>? States { get; }

    /// <summary>Reads a MoveNext.</summary>
    /// <param name="callees">Names of what is called.</param>
    /// <param name="fieldName">Name of a field by its token; null if it cannot be read.</param>
    /// <param name="il">Body of MoveNext.</param>
    public static StateMachineAwaits Find(CalleeCache callees, Func<int, string?> fieldName, ReadOnlySpan<byte> il)
    {
        if (il.Length > AwaitSites.MaxILBytes) return None;
        var code = new List<ILInstruction>();
        var reader = new ILReader(il);
        while (reader.MoveNext()) code.Add(reader.Current);
        var origins = new AwaitOrigins(callees, code);
        var found = new List<StateMachineAwait>();
        var states = new HashSet<int>();
        var isWhole = true;
        for (var i = 0; i < code.Count; i++)
        {
            if (code[i].OpCode != ILOpCode.Stfld || NamesOf(fieldName(code[i].Token)) is not { } names) continue;
            if (StoredAt(code, i) is not { } state)
            {
                isWhole = false;
                continue;
            }

            states.Add(state);
            if (state < names.FirstState) continue;
            var store = names == StateMachineNames.FSharp ? AwaiterBeforeStore(code, i, names, fieldName) : AwaiterAfter(code, i, names, fieldName);
            // Without an awaiter it is not an await: an iterator yields.
            if (store is not { } kept) continue;
            var origin = origins.OfAwaiter(Math.Min(i, kept));
            found.Add(new StateMachineAwait
            {
                State = state,
                Ordinal = found.Count,
                ILOffset = code[i].Offset,
                AwaiterField = fieldName(code[kept].Token),
                Origin = origin < 0 ? null : origins.CalleeAt(origin),
                OpenedOffset = origin < 0 ? null : Disposals.OpenedBy(code, origin, origins.CalleeAt(origin)),
            });
        }

        return new(found, isWhole && states.Count > 0 ? states : null);
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

    private static StateMachineNames? NamesOf(string? field) => StateMachineNames.All.FirstOrDefault(n => n.State == field);

    private static int? AwaiterAfter(List<ILInstruction> code, int store, StateMachineNames names, Func<int, string?> fieldName)
    {
        for (var i = store + 1; i < code.Count && i <= store + AwaiterWithin; i++)
        {
            if (code[i].OpCode == ILOpCode.Stfld && names.IsAwaiter(fieldName(code[i].Token))) return i;
        }

        return null;
    }

    private static int? AwaiterBeforeStore(List<ILInstruction> code, int store, StateMachineNames names, Func<int, string?> fieldName)
    {
        for (var i = store - 1; i >= 0 && i >= store - AwaiterBefore; i--)
        {
            if (code[i].OpCode == ILOpCode.Stfld && names.IsAwaiter(fieldName(code[i].Token))) return i;
        }

        return null;
    }
}
