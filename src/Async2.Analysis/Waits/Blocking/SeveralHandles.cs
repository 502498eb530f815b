using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Metadata.Signatures;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;

namespace Async2.Analysis.Waits.Blocking;

/// <summary>Threads in <c>WaitHandle.WaitAny</c> and <c>WaitAll</c>: they wait for several handles, so none of them alone is what they wait for.</summary>
internal sealed class SeveralHandles(WaitReaderContext all)
{
    private const string Handle = "System.Threading.WaitHandle";

    // WaitHandle.MaxWaitHandles.
    private const int Limit = 64;

    /// <summary>Null if the thread is in another method, or waits for one handle only.</summary>
    /// <param name="method">The method in which it blocks.</param>
    /// <param name="roots">Objects that the innermost frames hold, innermost first.</param>
    public WaitReason? Of(MethodFacts method, IReadOnlyList<ulong> roots)
    {
        if (method.DeclaringType.FullName != Handle || NameOf(method.RawName) is not { } name)
            return null;
        return roots.Select(CountOf).FirstOrDefault(count => count > 0) is > 1 and var count ? new(WaitKind.Event, name) { Shared = [new(WaitFactKey.Handles, count)] } : null;
    }

    // Both call WaitMultiple, and leave no frame where they were inlined or jump to it.
    private static string? NameOf(string method) => method switch
    {
        "WaitAny" or "WaitAll" => "WaitHandle." + method,
        _ => method.StartsWith("WaitMultiple", StringComparison.Ordinal) ? "WaitHandle.WaitAny or WaitAll" : null,
    };

    // 0 for what is not an array of handles.
    private int CountOf(ulong address)
        => address != 0 && TypeLookup.Of(all.Target.Runtime, all.At(address).MethodTable()) is { IsArray: true, ComponentType: { } component } && BaseTypes.Find(component, Handle) is not null
            ? ArrayLayout.ReadReferences(all.Target.Memory, address, Limit).Length : 0;
}
