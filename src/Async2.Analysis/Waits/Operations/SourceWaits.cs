using Async2.Analysis.Layouts;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Operations;

/// <summary>Value task sources that no other family knows: the program's own.</summary>
internal sealed class SourceWaits(WaitReaderContext all) : IWaitFamily<SourceWaits>
{
    public static SourceWaits Open(WaitReaderContext all) => new(all);

    public WaitStepReader? ReaderOf(ClrType type)
    {
        if (all.Types.Of(type.MethodTable) != AwaitedShape.ValueTaskSource)
            return null;
        WaitReason reason = WaitNames.ReasonOf(WaitKind.Custom, WaitNames.MethodOf(type) ?? WaitNames.OfType(type));
        return address => new(reason with { Resource = address });
    }
}
