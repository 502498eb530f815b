using System.Reflection.Metadata;

namespace Async2.Analysis.Code.Metadata;

/// <summary>
/// Finds the awaits of a runtime-async method. Roslyn (SDK 10.0.401) emits, for <c>await X()</c>:
/// <code>
/// call X; call AsyncHelpers.Await                                       Task, Task&lt;T&gt;, ValueTask, ValueTask&lt;T&gt;
/// call X; ldc.i4.0; callvirt Task.ConfigureAwait; call Await            .ConfigureAwait(false)
/// call X; stloc v; ldloca v; ldc.i4.0; call ValueTask.ConfigureAwait; call Await
/// ldloc t | ldfld f | dup | ldelem ...; call Await                      a task made earlier
/// call A; br L; call B; L: call Await                                   await (c ? A() : B())
/// call GetAwaiter; stloc w; ldloc w; call get_IsCompleted; brtrue; ldloc w; call [Unsafe]AwaitAwaiter; ...; call GetResult
/// </code>
/// The last is for everything that is no task: <c>Task.Yield()</c>, custom awaiters, type parameters, dynamic. await foreach and
/// await using have no shape of their own: MoveNextAsync and DisposeAsync are awaited as above. An await in a catch or finally
/// is moved behind it, so it is in no handler.
/// </summary>
internal sealed class AwaitSites
{
    /// <summary>A body has seldom more than some kilobytes; this is far beyond what any compiler makes.</summary>
    public const int MaxILBytes = 4 * 1024 * 1024;

    private readonly CalleeCache _callees;
    private readonly List<ILInstruction> _code = [];
    private readonly HashSet<int> _targets = [];
    private readonly List<AwaitSite> _sites = [];

    private AwaitSites(CalleeCache callees) => _callees = callees;

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
        };
        if (AsyncHelper.TakesAwaiter(helper)) return WithOrigin(site with { Form = AwaitForm.Awaiter }, AwaiterOrigin(index));
        var call = index - 1;
        var fused = AwaitForm.Call;
        if (AsyncHelper.TakesConfigured(helper))
        {
            call = BeforeConfigureAwait(index);
            fused = AwaitForm.ConfiguredCall;
        }

        if (call < 0 || IsEntered(call + 1, index) || CalleeAt(call) is not { } callee || !MethodFacts.IsTask(callee.Return))
            return WithOrigin(site, ValueOrigin(index));
        return site with { Form = fused, Callee = callee, CalleeOffset = _code[call].Offset };
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

    /// <summary>Index of the instruction that made the task for <c>ConfigureAwait(constant)</c> before an await; -1 if it is another shape.</summary>
    private int BeforeConfigureAwait(int index)
    {
        if (index < 2 || CalleeAt(index - 1) is not { } configure || !AsyncHelper.IsConfigureAwait(configure)) return -1;
        if (_code[index - 2].OpCode is not (ILOpCode.Ldc_i4_0 or ILOpCode.Ldc_i4_1)) return -1;
        var call = index - 3;
        // A ValueTask is a struct: its methods are called on an address, so it goes through a variable.
        if (call >= 1 && ILVariable.LoadsAddress(_code[call]) is { } variable && ILVariable.Stores(_code[call - 1]) == variable) call -= 2;
        return call;
    }

    private AwaitSite WithOrigin(AwaitSite site, int origin) =>
        origin < 0 ? site : site with { Origin = CalleeAt(origin), CalleeOffset = _code[origin].Offset };

    /// <summary>
    /// Where the awaited value probably comes from: the call right before, through <c>ConfigureAwait</c> and its argument, or the
    /// call before the last store to the variable that is loaded.
    /// </summary>
    private int ValueOrigin(int index)
    {
        const int reach = 64;
        var at = index - 1;
        if (at >= 0 && CalleeAt(at) is { } previous)
        {
            if (!AsyncHelper.IsConfigureAwait(previous) || at < 2) return at;
            at -= 2;
            if (CalleeAt(at) is not null) return at;
        }

        if (at < 0 || ILVariable.Loads(_code[at]) is not { } variable) return -1;
        for (var i = at - 1; i > 0 && i > at - reach; i--)
        {
            if (ILVariable.Stores(_code[i]) == variable) return CalleeAt(i - 1) is null ? -1 : i - 1;
        }

        return -1;
    }

    /// <summary>The call that made the awaitable, else the call of its GetAwaiter.</summary>
    private int AwaiterOrigin(int index)
    {
        const int reach = 12;
        for (var i = index - 1; i >= 0 && i > index - reach; i--)
        {
            if (CalleeAt(i) is not { Name: "GetAwaiter" }) continue;
            var before = i - 1;
            if (before > 0 && ILVariable.LoadsAddress(_code[before]) is { } v && ILVariable.Stores(_code[before - 1]) == v) before -= 2;
            return before >= 0 && CalleeAt(before) is not null ? before : i;
        }

        return -1;
    }

    private CalleeRef? CalleeAt(int index)
    {
        var instruction = _code[index];
        if (!instruction.IsCall && instruction.OpCode != ILOpCode.Newobj) return null;
        var constrained = index > 0 && _code[index - 1].OpCode == ILOpCode.Constrained;
        return _callees.Get(instruction.Token, instruction.OpCode, constrained);
    }
}
