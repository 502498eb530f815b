using System.Reflection.Metadata;
using Async2.Analysis.Metadata.IL;

namespace Async2.Analysis.Metadata.Awaits;

/// <summary>
/// Finds the awaits of a runtime-async method. What Roslyn (SDK 10.0.401) emits, and what the JIT of 10.0.12 makes of it:
/// <code>
/// fused: one native call of X's async variant
///   call X; call Await                                       X returns exactly Task, Task&lt;T&gt;, ValueTask or ValueTask&lt;T&gt;
///   call X; ldc.i4.0|1; callvirt Task.ConfigureAwait; call Await      either overload: options 0 and 1, too
/// not fused: native code calls AsyncHelpers.Await
///   ldloc t | ldfld f | ldelem | dup; call Await             a task made earlier (unoptimised code: any stored one)
///   callvirt Invoke; call Await                              delegates have no async variant, whatever they return
///   call X; call Await                                       X returns T, a class derived from Task, or Configured...Awaitable
///   call X; ldarg b; callvirt ConfigureAwait; call Await     a flag that is not a constant, or other options
///   call X; stloc v; ldloca v; ldc.i4.0; call ValueTask.ConfigureAwait; call Await
///   call A; br L; call B; L: call Await                      await (c ? A() : B()), await (t ?? B())
/// not fused: native code calls AsyncHelpers.[Unsafe]AwaitAwaiter
///   call GetAwaiter; stloc w; ldloc w; call get_IsCompleted; brtrue; ldloc w; call [Unsafe]AwaitAwaiter; ...; call GetResult
/// </code>
/// <c>Task t = IntAsync(); await t;</c> optimises to <c>call X; call Await(Task)</c>: the JIT of 10.0.12 fuses that, too, and then
/// refuses the method as invalid for the int it leaves behind, so nobody waits there.
/// The last is for all that is not a task: <c>Task.Yield()</c>, custom awaiters, type parameters, dynamic. await foreach and await
/// using have no shape of their own: MoveNextAsync and DisposeAsync are awaited as above. Awaits in catch and finally are moved
/// behind the handler. async void and async iterators are still state machines and have no such awaits.
/// </summary>
internal sealed class AwaitSites
{
    /// <summary>A body has seldom more than some kilobytes; this is far beyond what any compiler makes.</summary>
    public const int MaxILBytes = 4 * 1024 * 1024;

    private readonly CalleeCache _callees;
    private readonly List<ILInstruction> _code = [];
    private readonly HashSet<int> _targets = [];
    private readonly List<AwaitSite> _sites = [];

    private readonly AwaitOrigins _origins;

    private AwaitSites(CalleeCache callees)
    {
        _callees = callees;
        _origins = new AwaitOrigins(callees, _code);
    }

    /// <summary>The sites in IL order, as far as the IL could be read.</summary>
    public static IReadOnlyList<AwaitSite> Find(CalleeCache callees, ReadOnlySpan<byte> il)
    {
        var finder = new AwaitSites(callees);
        if (il.Length > MaxILBytes) return [];
        finder.ReadCode(il);
        for (var i = 0; i < finder._code.Count; i++)
        {
            if (finder.CalleeAt(i) is { } helper && AsyncHelper.IsAwait(helper)) finder._sites.Add(finder.SiteAt(i, helper));
        }

        return finder._sites;
    }

    private void ReadCode(ReadOnlySpan<byte> il)
    {
        var reader = new ILReader(il);
        while (reader.MoveNext())
        {
            _code.Add(reader.Current);
            reader.AddTargets(_targets);
        }
    }

    private AwaitSite SiteAt(int index, CalleeRef helper)
    {
        var site = new AwaitSite
        {
            Ordinal = _sites.Count,
            ILOffset = _code[index].Offset,
            Form = AwaitForm.Value,
            Helper = helper,
            AwaitedType = _callees.AwaitedType(_code[index].Token, helper),
            IsTail = index + 1 < _code.Count && _code[index + 1].OpCode == ILOpCode.Ret,
        };
        if (AsyncHelper.TakesAwaiter(helper)) return WithOrigin(site with { Form = AwaitForm.Awaiter }, _origins.OfAwaiter(index));
        var configured = AsyncHelper.TakesConfigured(helper);
        var call = configured ? BeforeConfigureAwait(index) : index - 1;
        if (call < 0 || IsEntered(call + 1, index) || CalleeAt(call) is not { } callee || !AsyncHelper.HasAsyncVariant(callee))
            return WithOrigin(site, _origins.OfValue(index));
        var fused = site with
        {
            Form = configured ? AwaitForm.ConfiguredCall : AwaitForm.Call,
            Callee = callee,
            CalleeOffset = _code[call].Offset,
            OpenedOffset = Disposals.OpenedBy(_code, call, callee),
        };
        return AsyncHelper.IsConversion(callee) ? WithOrigin(fused, _origins.OfValue(call)) : fused;
    }

    /// <summary>The JIT fuses only inside one basic block: a jump to the middle of the pattern ends it.</summary>
    private bool IsEntered(int from, int to)
    {
        for (var i = from; i <= to; i++)
        {
            if (_targets.Contains(_code[i].Offset)) return true;
        }

        return false;
    }

    /// <summary>Index of what made the task for <c>ConfigureAwait(constant)</c> before an await; -1 if it is another shape.</summary>
    private int BeforeConfigureAwait(int index) =>
        index >= 3 && CalleeAt(index - 1) is { } configure && AsyncHelper.IsConfigureAwait(configure)
        && _code[index - 2].OpCode is ILOpCode.Ldc_i4_0 or ILOpCode.Ldc_i4_1 ? index - 3 : -1;

    private AwaitSite WithOrigin(AwaitSite site, int origin) =>
        origin < 0 ? site : site with { Origin = CalleeAt(origin), OriginOffset = _code[origin].Offset };

    private CalleeRef? CalleeAt(int index) => _origins.CalleeAt(index);
}
