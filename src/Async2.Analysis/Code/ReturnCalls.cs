using System.Buffers.Binary;
using Async2.Analysis.Code.Metadata;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Code;

/// <summary>
/// Which call in IL it is that a return address stands behind. Optimised code keeps a mark only where a statement begins, and not
/// always that: the mark before the address may belong to a statement far above. What is called tells more.
/// </summary>
internal sealed class ReturnCalls(Target target, LoadedModules modules)
{
    // call rel32; call [rip+rel32]
    private const int NearCall = 5;
    private const int SlotCall = 6;

    private readonly CallTargets _targets = new(target);

    /// <summary>The place by the marks, or a better one.</summary>
    /// <param name="method">The method.</param>
    /// <param name="returnAddress">Behind the call.</param>
    /// <param name="byMark">What the debug info says.</param>
    public ThreadPoint At(AsyncMethod method, ulong returnAddress, ThreadPoint byMark)
    {
        if (CalleeBefore(returnAddress) is not { } callee)
            return byMark;
        List<int> calls = [];
        foreach (CallSite site in method.Module.CallsOf(method.Method))
        {
            if (CalleeComparer.CanCall(site.Callee, callee))
                calls.Add(site.ILOffset);
        }
        // None: it is called by something that was inlined.
        if (calls.Count == 0)
            return byMark;
        if (calls.Count == 1)
        {
            // Something that was inlined may call the same: then the mark, which is the caller's own, differs.
            SourceLine? only = method.Module.Symbols.LineOf(method.Token, calls[0]);
            return new(calls[0], only, only == byMark.Source ? Exactness.Exact : Exactness.Approximate);
        }
        int behind = calls.FindIndex(offset => offset >= byMark.ILOffset);
        int nearest = behind >= 0 ? calls[behind] : calls[^1];
        SourceLine? line = method.Module.Symbols.LineOf(method.Token, nearest);
        return new(nearest, line, line == byMark.Source ? byMark.Exactness : Exactness.Approximate);
    }

    // Null when the call goes through a register or an object.
    private CalleeName? CalleeBefore(ulong returnAddress)
    {
        Span<byte> code = stackalloc byte[SlotCall];
        if (returnAddress < SlotCall || !target.Memory.TryRead(returnAddress - SlotCall, code))
            return null;
        ulong end = unchecked(returnAddress + (ulong)BinaryPrimitives.ReadInt32LittleEndian(code[2..]));
        if (code[0] == 0xFF && code[1] == 0x15 && NameOf(new(returnAddress - SlotCall, end, ThroughSlot: true)) is { } known)
            return known;
        return code[1] == 0xE8 ? NameOf(new(returnAddress - NearCall, end, ThroughSlot: false)) : null;
    }

    private CalleeName? NameOf(AwaitCall call) => modules.Describe(_targets.Resolve(call))?.CalleeName;
}
