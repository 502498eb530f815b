extern alias experiment;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using experiment::TaskletFixture.Runtime;
using RuntimeHelpers = experiment::System.Runtime.CompilerServices.RuntimeHelpers;

namespace TaskletFixture;

/// <summary>Damages a tasklet in the middle of one more stack, or what leads to all of them. The others stay whole.</summary>
internal static class Damages
{
    /// <summary>What is named when the target's own description cannot be believed.</summary>
    public const string Contract = "contract";

    // Of the six frames of the stack, from the innermost.
    private const int Frame = 2;

    /// <summary>Kinds, and the rule that a reader must name.</summary>
    public static readonly Dictionary<string, string> Rules = new()
    {
        ["stack-cycle"] = "stack-link",
        ["stack-garbage"] = "stack-link",
        ["list-garbage"] = "list-link",
        ["object-count"] = "object-refs",
        ["object-beyond"] = "object-refs",
        ["byref-count"] = "byrefs",
        ["byref-beyond"] = "byrefs",
        ["stack-unreadable"] = "stack-data",
        ["info-unreadable"] = "stack-info",
        ["return-address"] = "stack-size",
        ["registers-endless"] = "registers",
        ["return-type"] = "return-type",
        ["generation"] = "generation",
        ["ip-zero"] = "restore-ip",
        ["ip-native"] = "restore-ip",
        ["ip-freed"] = "restore-ip",
        ["sentinel-null"] = "sentinel",
        ["contract-32bit"] = Contract,
        ["contract-cut"] = Contract,
    };

    public static void Bring(Truth truth, string kind)
    {
        Trail trail = truth.Open("damaged");
        truth.Kept.Add(RuntimeHelpers.Start(new Warehouse(Goods.Label(2)).Deliver, trail));
        string rule = Rules[kind];
        bool isOfStack = rule is not ("sentinel" or "list-link" or Contract);
        truth.Damage = new DamageTruth(kind, rule, isOfStack ? "damaged" : null, Frame);
        // The tasklet of the runtime's own method comes first.
        nint innermost = trail.Stack.Owner!.Innermost;
        if (kind == "ip-freed")
            NativeTasklets.SetAddress(innermost, Frame + 1, FreedCode());
        else if (!NativeTasklets.Damage(kind, innermost, Frame + 1))
            throw new InvalidOperationException($"there is no damage {kind}");
    }

    // An address in the code of a method that was collected.
    private static nint FreedCode()
    {
        (WeakReference method, nint address) = Generate();
        for (int i = 0; method.IsAlive; i++)
        {
            if (i == 100)
                throw new InvalidOperationException("a generated method was not collected");
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
        return address;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static (WeakReference Method, nint Address) Generate()
    {
        var method = new DynamicMethod("Gone", typeof(nint), []);
        ILGenerator il = method.GetILGenerator();
        il.Emit(OpCodes.Ldc_I8, (long)NativeTasklets.Export("tl_here"));
        il.Emit(OpCodes.Conv_I);
        il.EmitCalli(OpCodes.Calli, System.Runtime.InteropServices.CallingConvention.Cdecl, typeof(nint), []);
        il.Emit(OpCodes.Ret);
        var call = (Func<nint>)method.CreateDelegate(typeof(Func<nint>));
        return (new WeakReference(method), call());
    }
}
