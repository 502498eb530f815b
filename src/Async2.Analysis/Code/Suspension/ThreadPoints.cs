using Async2.Analysis.Code.DebugInfo;
using Async2.Analysis.Code.Decoding;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Metadata.Awaits;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Code.Suspension;

/// <summary>From the instruction pointer of a physical frame to its place in the method.</summary>
internal sealed class ThreadPoints(Target target, LoadedModules modules, NativeBodies bodies)
{
    private readonly CallTargets _targets = new(target);
    private readonly Dictionary<ulong, CallPlaces> _places = [];
    private readonly bool _hasDecoder = SuspensionDecoders.Know(target);

    /// <param name="method">The method.</param>
    /// <param name="address">Instruction pointer of the frame.</param>
    /// <param name="isInnermost">It is at this instruction; else it is the one after a call.</param>
    /// <param name="called">The next deeper frame, if this one called it.</param>
    public ThreadPoint At(AsyncMethod method, ulong address, bool isInnermost, CalleeName? called)
    {
        // The frame of a call into the system has the address in its caller.
        if (bodies.Containing(isInnermost ? address : address - 1) is not { } body || modules.Describe(body.Method)?.IsSameDefinition(method) != true)
            return default;
        if (!_places.TryGetValue(body.Start, out CallPlaces? places))
            _places[body.Start] = places = PlacesOf(method, body);
        uint offset = (uint)(address - body.Start);
        return isInnermost ? places.Running(offset) : places.Calling(offset, called);
    }

    /// <summary>The calls from the statement on at which a frame stands, as its IL names them: one of the first is what it is in. Empty if its place cannot be told.</summary>
    /// <param name="method">The method.</param>
    /// <param name="address">Instruction pointer of the frame: the one after the call.</param>
    /// <param name="called">The next deeper frame, if this one called it.</param>
    public IEnumerable<CalleeRef> CallsFrom(AsyncMethod method, ulong address, CalleeName? called)
        => At(method, address, isInnermost: false, called).ILOffset is { } offset && bodies.Containing(address - 1) is { } body
            ? method.Module.CallsOf(body.Method).Where(call => call.ILOffset >= offset).Select(call => call.Callee).OfType<CalleeRef>()
            : [];

    /// <summary>The calls in a method of the user's that may have been inlined.</summary>
    /// <param name="from">Module of who calls it.</param>
    /// <param name="callee">What that names.</param>
    public IEnumerable<CalleeRef> CallsIn(LoadedModule from, CalleeRef callee)
        => modules.ResolveOfUser(from, callee) is { } found && found.Module.BodyOf(found.Facts) is { } body && found.Module.Metadata is { } metadata
            ? metadata.CallsOf(body.Bytes).Select(call => call.Callee).OfType<CalleeRef>() : [];

    private CallPlaces PlacesOf(AsyncMethod method, NativeBody body)
    {
        LoadedModule module = method.Module;
        X64Code? code = _hasDecoder && target.Memory.TryReadBlock(body.Start, (ulong)body.Length, CodeHeaderLayout.MaximumLength) is { } bytes
            ? new X64Code(bytes, body.Start) : null;
        return new CallPlaces(
            bodies.BoundsOf(body), code?.Flow ?? NativeFlow.Empty, module.FlowOf(body.Method),
            module.CallsOf(body.Method), code is null ? [] : CallsIn(code), offset => module.Symbols.LineOf(method.Token, offset));
    }

    private List<NativeCall> CallsIn(X64Code code)
        => [.. code.Calls.Select(c => new NativeCall((uint)(c.Call.Address - code.Address), c.End, NameOf(c.Call), c.Call.Target == 0))];

    private CalleeName? NameOf(AwaitCall call) => modules.Describe(_targets.Resolve(call))?.CalleeName;
}
