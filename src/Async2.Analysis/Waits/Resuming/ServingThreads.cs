using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Resuming;

/// <summary>
/// The threads that run work posted to a SynchronizationContext: threads whose current context it is, or a copy of it, as dispatchers
/// create; or the thread that it refers to (WPF: its dispatcher's thread; Windows Forms: its destination thread).
/// </summary>
internal sealed class ServingThreads
{
    private readonly WaitReaderContext _all;
    private readonly LayoutCache<ThreadContextLayout> _layouts;
    private readonly ReferenceMaps _references;
    private readonly List<(int Thread, ulong Object, ulong Context)> _threads = [];

    /// <param name="all">The target's objects.</param>
    public ServingThreads(WaitReaderContext all)
    {
        _all = all;
        _references = new(all.Target.Memory);
        _layouts = all.Layouts(ThreadContextLayout.Of);
        HashSet<int> alive = [.. all.Target.Runtime.Threads.Where(t => t.IsAlive).Select(t => t.ManagedThreadId)];
        foreach (ulong address in all.Resources.Addresses)
        {
            HeapObject item = all.At(address);
            if (_layouts.Of(item) is { } layout && item.Int32(layout.ManagedId) is { } id && alive.Contains(id))
                _threads.Add((id, address, item.Reference(layout.Context)));
        }
    }

    /// <summary>What any thread has as its current one.</summary>
    public IEnumerable<ulong> Contexts => _threads.Select(t => t.Context).Where(context => context != 0).Distinct();

    /// <summary>Managed ids of threads whose context is more than the class itself, which posts to the pool; ascending.</summary>
    public IReadOnlyList<int> UnderContext()
        => Ids(t => t.Context != 0 && TypeLookup.Of(_all.Target.Runtime, _all.At(t.Context).MethodTable())?.Name is not (null or "System.Threading.SynchronizationContext"));

    /// <summary>Managed ids, ascending; empty when none is found.</summary>
    /// <param name="context">The context.</param>
    /// <param name="type">Its type.</param>
    /// <param name="isInferred">It is not the current one of any thread; that these serve it follows from what it refers to.</param>
    public IReadOnlyList<int> Of(ulong context, ClrType type, out bool isInferred)
    {
        isInferred = false;
        int[] own = Ids(t => t.Context == context);
        if (own.Length > 0)
            return own;
        isInferred = true;
        HashSet<ulong> parts = [.. ReferencesOf(context)];
        int[] copies = Ids(t => t.Context != 0 && _all.At(t.Context).MethodTable() == type.MethodTable && ReferencesOf(t.Context).Any(parts.Contains));
        if (copies.Length > 0)
            return copies;
        HashSet<ulong> reached = [.. parts, .. parts.SelectMany(ReferencesOf)];
        return Ids(t => reached.Contains(t.Object));
    }

    private int[] Ids(Func<(int Thread, ulong Object, ulong Context), bool> serves) => [.. _threads.Where(serves).Select(t => t.Thread).Distinct().Order()];

    private IEnumerable<ulong> ReferencesOf(ulong address)
    {
        HeapObject item = _all.At(address);
        return _references.Of(item.MethodTable()).Offsets.Select(item.Reference).Where(reference => reference != 0);
    }
}

/// <summary><c>System.Threading.Thread</c>, with what its code runs under.</summary>
/// <param name="ManagedId">int.</param>
/// <param name="Context">The SynchronizationContext, or null.</param>
internal sealed record ThreadContextLayout(int ManagedId, int Context)
{
    public static ThreadContextLayout? Of(ClrType type, int pointerSize)
        => type.Name == "System.Threading.Thread" && FieldOffsets.Find(type, pointerSize, "_managedThreadId", "_synchronizationContext") is { } fields
            ? new(fields["_managedThreadId"], fields["_synchronizationContext"])
            : null;
}
