using Async2.Analysis.Code.Modules;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Metadata.Signatures;
using Async2.Analysis.Threads.Unwinding;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Threads;

/// <summary>A physical frame with what it is to async code.</summary>
/// <param name="Frame">The frame.</param>
/// <param name="StackPointer">Where its roots are.</param>
/// <param name="Role">What it does.</param>
internal sealed record WalkedFrame(ThreadFrame Frame, ulong StackPointer, FrameRole Role)
{
    /// <summary>Where the next outer frame begins; all addresses before it are this one's.</summary>
    public ulong StackEnd { get; init; } = ulong.MaxValue;

    /// <summary>From here native code was called, and nothing managed from there. Only the innermost one.</summary>
    public bool CallsNative { get; init; }

    /// <summary>The thread is in a call of the operating system, made by that native code.</summary>
    public bool IsInSystem { get; init; }

    /// <summary>The frame, which can be asked for its objects.</summary>
    public ThreadFrame WithRoots(ThreadRoots roots) => Frame with { Roots = roots.Of(StackPointer) };

    /// <summary>Code of the user, not of a framework.</summary>
    public bool IsUser => Role == FrameRole.None && (Frame.Generated is not null || !Frame.Method.Module.IsFramework);
}

/// <summary>
/// The managed frames of a thread, without duplicates of user methods: thunks of runtime-async methods, stubs
/// of the runtime, and the method that only starts its own state machine.
/// </summary>
internal sealed class StackWalk(LoadedModules modules)
{
    // The runtime's frame of a call of native code (coreclr, frames.h).
    private const string NativeCall = "InlinedCallFrame";

    /// <summary>Innermost first.</summary>
    public List<WalkedFrame> Read(ClrThread thread)
    {
        var frames = new List<WalkedFrame>();
        ModuleMethod? kickoff = null;
        AsyncMethod? deeper = null;
        bool innermost = !PhysicalStack.Of(thread).HasCalled;
        CalleeName? next = null;
        ClrStackFrame? native = null;
        foreach (ClrStackFrame physical in PhysicalStack.Of(thread).Frames)
        {
            (bool isInnermost, innermost) = (innermost, false);
            native ??= isInnermost && IsNativeCall(physical) ? physical : null;
            (CalleeName? called, next) = (next, null);
            if (ReplacesStub(frames, native, physical))
                called = null;
            EndLast(frames, physical.StackPointer);
            if (modules.DescribeGenerated(physical.Method) is { } generated)
            {
                frames.Add(new(new(physical.InstructionPointer, isInnermost, generated) { Generated = physical.Method!.Name }, physical.StackPointer, FrameRole.None));
                continue;
            }
            if (modules.Describe(physical.Method) is not { Facts: { } facts } method)
                continue;
            next = method.CalleeName;
            if (IsThunk(method, deeper) || IsEntryOf(facts, frames))
                continue;
            deeper = method;
            FrameRole role = RoleOf(method, facts);
            if (role == FrameRole.None && kickoff is { } started && started.Module == method.Module && started.Facts.Token == method.Token)
            {
                kickoff = null;
                continue;
            }
            kickoff = KickoffOf(method, facts) ?? (role is FrameRole.DrivesChain or FrameRole.DispatchesChain or FrameRole.DrivesStateMachine ? null : kickoff);
            frames.Add(new(new(physical.InstructionPointer, isInnermost, method) { Called = called }, physical.StackPointer, role));
        }
        return native is null ? frames : CallingNative(frames);
    }

    private static FrameRole RoleOf(AsyncMethod method, MethodFacts facts)
        => method.Module.IsFramework || ResumptionMethods.IsOfRuntime(facts.DeclaringType.FullName) ? ResumptionMethods.RoleOf(facts.DeclaringType.FullName, facts.RawName) : FrameRole.None;

    private static void EndLast(List<WalkedFrame> frames, ulong stackPointer)
    {
        if (frames.Count > 0 && frames[^1].StackEnd == ulong.MaxValue)
            frames[^1] = frames[^1] with { StackEnd = stackPointer };
    }

    private static bool IsNativeCall(ClrStackFrame frame) => frame is { Kind: ClrStackFrameKind.Runtime, FrameName: NativeCall };

    // The stub that makes the call is the same method once more; it holds the arguments.
    private static bool ReplacesStub(List<WalkedFrame> frames, ClrStackFrame? native, ClrStackFrame physical)
    {
        if (frames.Count != 1 || native?.Method is not { } called || called.MethodDesc != physical.Method?.MethodDesc)
            return false;
        frames.Clear();
        return true;
    }

    private static List<WalkedFrame> CallingNative(List<WalkedFrame> frames)
    {
        if (frames.Count > 0)
            frames[0] = frames[0] with { CallsNative = true };
        return frames;
    }

    // The compiler's entry point of an async Main, which is on the stack itself.
    private static bool IsEntryOf(MethodFacts facts, List<WalkedFrame> frames)
        => facts.RawName == "<Main>" && frames.Exists(f => f.IsUser && StartedBy(f.Frame) is { RawName: "Main" or "<Main>$" } main && main.DeclaringType == facts.DeclaringType);

    // The method that a developer sees.
    private static MethodFacts? StartedBy(ThreadFrame frame)
        => frame is { Generated: null, Method.Facts: { } own } ? KickoffOf(frame.Method, own)?.Facts ?? own : null;

    // If the runtime does not mark thunks: a thunk and the method that it calls have the same metadata token and different MethodDescs.
    private static bool IsThunk(AsyncMethod method, AsyncMethod? deeper)
        => method.Kind is AsyncMethodKind.RuntimeAsyncThunk or AsyncMethodKind.VariantThunk or AsyncMethodKind.Helper
            || (deeper is not null && method.Facts is { ReturnsTask: true, GenericArity: 0 } && method.IsSameDefinition(deeper) && method.Method.MethodDesc != deeper.Method.MethodDesc
                && method.Method.Type?.MethodTable == deeper.Method.Type?.MethodTable);

    // The method that a developer wrote, where this is the MoveNext of its state machine.
    private static ModuleMethod? KickoffOf(AsyncMethod method, MethodFacts facts)
        => facts.RawName == "MoveNext" && method.Module.Metadata is { } metadata
            && metadata.NameOf(facts.Token) is { } name && name.Token != facts.Token && metadata.FactsOf(name.Token) is { } started
            ? new ModuleMethod(method.Module, started)
            : null;
}
