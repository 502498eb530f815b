using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Layouts.Waits;
using Async2.Analysis.Waits.Reading;

namespace Async2.Analysis.Waits.Blocking;

/// <summary>From an object that a thread blocks on to the one that the user knows: the CountdownEvent of a ManualResetEventSlim.</summary>
internal sealed class HolderIndex(WaitReaderContext all)
{
    private readonly LayoutCache<HolderLayout> _layouts = all.Layouts(HolderLayout.Of);
    private Dictionary<ulong, ulong>? _holders;

    /// <summary>0 when nobody holds it.</summary>
    public ulong Of(ulong inner) => (_holders ??= Build()).GetValueOrDefault(inner);

    private Dictionary<ulong, ulong> Build()
    {
        var holders = new Dictionary<ulong, ulong>();
        foreach (ulong address in all.Resources.Addresses)
        {
            HeapObject holder = all.At(address);
            foreach (int field in _layouts.Of(holder)?.Inner ?? [])
            {
                if (holder.Reference(field) is not 0 and var inner)
                    holders.TryAdd(inner, address);
            }
        }
        return holders;
    }
}
