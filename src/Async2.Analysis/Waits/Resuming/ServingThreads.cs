using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Threads;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Resuming;

/// <summary>
/// The threads that run work posted to a SynchronizationContext: threads whose current context it is, or a copy of it, as dispatchers
/// create; or the thread that it refers to (WPF: its dispatcher's thread; Windows Forms: its destination thread). A thread that waits in
/// the context's own code is one of them, too. A context that passes on what is posted has none (<see cref="ContextPosts"/>).
/// </summary>
internal sealed class ServingThreads
{
    private const string Channels = "System.Threading.Channels.";

    // A queue of any type, and what is next to it.
    private const int PartLimit = 200;

    private readonly WaitReaderContext _all;
    private readonly LayoutCache<ThreadContextLayout> _layouts;
    private readonly ReferenceMaps _references;
    private readonly ContextPosts _posts;
    private readonly IReadOnlyList<ThreadSegment> _segments;
    private readonly List<(int Thread, ulong Object, ulong Context)> _threads = [];

    /// <param name="all">The target's objects.</param>
    /// <param name="segments">What threads do.</param>
    public ServingThreads(WaitReaderContext all, IReadOnlyList<ThreadSegment> segments)
    {
        (_all, _segments, _posts) = (all, segments, new(all.Modules));
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

    /// <summary>Managed ids of threads whose context has threads of its own; ascending.</summary>
    public IReadOnlyList<int> UnderContext()
        => Ids(t => t.Context != 0 && TypeLookup.Of(_all.Target.Runtime, _all.At(t.Context).MethodTable()) is { } type && !_posts.PassesOn(type));

    /// <summary>Managed ids, ascending; empty when none is found.</summary>
    /// <param name="context">The context.</param>
    /// <param name="type">Its type.</param>
    /// <param name="isInferred">It is not the current one of any thread; that these serve it follows from what it refers to.</param>
    public IReadOnlyList<int> Of(ulong context, ClrType type, out bool isInferred)
    {
        isInferred = false;
        if (_posts.PassesOn(type))
            return [];
        int[] own = Ids(t => t.Context == context);
        if (own.Length > 0)
            return [.. own.Concat(Waiting(context, type)).Distinct().Order()];
        isInferred = true;
        HashSet<ulong> parts = [.. ReferencesOf(context)];
        int[] copies = Ids(t => t.Context != 0 && _all.At(t.Context).MethodTable() == type.MethodTable && ReferencesOf(t.Context).Any(parts.Contains));
        if (copies.Length > 0)
            return copies;
        HashSet<ulong> reached = [.. parts, .. parts.SelectMany(ReferencesOf)];
        return Ids(t => reached.Contains(t.Object));
    }

    /// <summary>
    /// Nobody comes to what is posted to a context: it has a queue of its own, no thread serves it, none has it, or what it refers to, in any of its frames, and none runs code of the program that might
    /// get to it. A channel may be read by an operation, so nothing is said of a context that has one.
    /// </summary>
    /// <param name="context">The context.</param>
    /// <param name="type">Its type.</param>
    public bool HasNobody(ulong context, ClrType type)
    {
        if (_posts.PassesOn(type) || Of(context, type, out _).Count > 0 || _segments.Any(segment => !segment.IsBlocked && segment.Frames.Any(frame => !frame.Method.Module.IsFramework)))
            return false;
        HashSet<ulong> parts = [context, .. ReferencesOf(context)];
        parts.UnionWith(parts.SelectMany(ReferencesOf).Take(PartLimit).ToArray());
        return !parts.Any(part => TypeLookup.Of(_all.Target.Runtime, _all.At(part).MethodTable())?.Name?.StartsWith(Channels, StringComparison.Ordinal) == true)
            && !_segments.Any(segment => segment.Roots.Concat(segment.Frames.SelectMany(frame => frame.Roots)).Any(root => parts.Contains(root) && _all.At(root).MethodTable() is var table && !IsString(table)));
    }

    private bool IsString(ulong methodTable) => TypeLookup.Of(_all.Target.Runtime, methodTable)?.IsString == true;

    // They set it only while they run something; who sends something there waits for them; one that has another of the type serves that one, though nothing on its stack may show it.
    private IEnumerable<int> Waiting(ulong context, ClrType type)
    {
        string[] own = [.. BaseTypes.Of(type).Select(one => one.Name).OfType<string>().TakeWhile(name => name != "System.Threading.SynchronizationContext").Select(name => name.Split('<', '[')[0])];
        int[] others = Ids(t => t.Context != 0 && t.Context != context && _all.At(t.Context).MethodTable() == type.MethodTable);
        return _segments.Where(segment => !others.Contains(segment.ThreadId) && segment.Frames.Any(frame => frame.Method.Facts is { RawName: not "Send", DeclaringType.FullName: { } name } && Array.Exists(own, its => name == its || name.StartsWith(its + "+", StringComparison.Ordinal)))
            && !segment.Roots.Any(root => root != context && _all.At(root).MethodTable() == type.MethodTable)).Select(segment => segment.ThreadId);
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
