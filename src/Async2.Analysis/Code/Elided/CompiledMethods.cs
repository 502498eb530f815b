using Async2.Analysis.Code.DebugInfo;
using Async2.Analysis.Code.Decoding;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Code.Elided;

/// <summary>
/// Which runtime-async methods the runtime has compiled (10.0.12). A caller that needs a task calls a thunk, which is compiled for its first
/// call: a method without one has only been awaited by runtime-async code, and has no task of its own.
/// </summary>
internal sealed class CompiledMethods(Target target, NativeBodies native)
{
    private const ulong None = ulong.MaxValue;

    private readonly Dictionary<(LoadedModule, int), (bool? Started, bool? Leaves)> _known = [];

    /// <summary>At least one is known: the runtime's lists contain them.</summary>
    public bool HasSeenThunk { get; private set; }

    /// <summary>Whether a method was called for its task; null if unknown.</summary>
    public bool? IsStarted(ModuleMethod method) => Find(method).Started;

    /// <summary>
    /// Whether the method's code ends in a jump, so that it has no frame from then on; null if unknown, and for a method that was
    /// always inlined.
    /// </summary>
    public bool? LeavesByJump(ModuleMethod method) => Find(method).Leaves;

    private (bool? Started, bool? Leaves) Find(ModuleMethod method)
    {
        if (!_known.TryGetValue(method.Key, out var known))
            _known[method.Key] = known = Read(method);
        return known;
    }

    // Generic code has one body for each kind of instantiation, and the type's own list has none of them.
    private (bool? Started, bool? Leaves) Read(ModuleMethod method)
    {
        if (method.Facts.GenericArity > 0 || method.Facts.DeclaringType.FullName.Contains('`', StringComparison.Ordinal)
            || TypeLookup.Of(target.Runtime, method.Module.MethodTableOf(method.Facts.DeclaringToken)) is not { } type)
            return (null, null);
        ulong body = 0, thunk = 0;
        foreach (ClrMethod compiled in type.Methods)
        {
            if (compiled.MetadataToken != method.Facts.Token || compiled.NativeCode is 0 or None)
                continue;
            switch (MethodDescLayout.Kind(target.Memory, compiled.MethodDesc))
            {
                case AsyncMethodKind.Body:
                    body = compiled.NativeCode;
                    break;
                case AsyncMethodKind.RuntimeAsyncThunk:
                    thunk = compiled.NativeCode;
                    break;
            }
        }
        HasSeenThunk |= thunk != 0;
        return (thunk != 0, body == 0 ? null : Leaves(body));
    }

    private bool? Leaves(ulong address)
    {
        if (!SuspensionDecoders.Know(target) || native.Containing(address) is not { } body
            || target.Memory.TryReadBlock(body.Start, (ulong)body.Length, CodeHeaderLayout.MaximumLength) is not { } code)
            return null;
        return X64TailJumps.In(code, body.Start);
    }
}
