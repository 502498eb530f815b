using Async2.Analysis.Layouts;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Operations;

/// <summary>What no family knows: its type is all there is to say. A runtime-async task is a stack of its own, and says more there.</summary>
internal sealed class OtherWaits(WaitReaderContext all) : IWaitFamily<OtherWaits>
{
    public static OtherWaits Open(WaitReaderContext all) => new(all);

    public WaitStepReader? ReaderOf(ClrType type)
    {
        if (AsyncTypes.Known.Classify(type) is AsyncTypeKind.ChainTask or AsyncTypeKind.Continuation or AsyncTypeKind.Nameless)
            return null;
        WaitKind kind = all.Types.Of(type.MethodTable) == AwaitedShape.Task ? WaitKind.Task : WaitKind.Custom;
        WaitReason reason = WaitNames.ReasonOf(kind, WaitNames.OfType(type));
        return _ => new(reason);
    }
}
