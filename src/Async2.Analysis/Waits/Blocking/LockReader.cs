using System.Globalization;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Layouts.Waits;
using Async2.Analysis.Layouts;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Blocking;

/// <summary>Locks that know their owner: Lock, ReaderWriterLockSlim; and a thread that another one joins.</summary>
internal sealed class LockReader(WaitReaderContext all)
{
    private readonly LayoutCache<LockLayout> _locks = all.Layouts(LockLayout.Of);
    private readonly LayoutCache<ReaderWriterLayout> _readerWriters = all.Layouts(ReaderWriterLayout.Of);
    private readonly LayoutCache<ThreadLayout> _threads = all.Layouts(ThreadLayout.Of);
    private readonly LockReaders _readers = new(all);
    private Dictionary<uint, int>? _byOSThread;

    public WaitFacts? Lock(HeapObject item, int thread)
    {
        if (_locks.Of(item) is not { } layout || item.UInt32(layout.Owner) is not { } owner || item.UInt32(layout.State) is not { } state)
            return null;
        int? holder = owner != 0 && ByOSThread().TryGetValue(owner, out int id) && id != thread ? id : null;
        string? held = holder is not null ? FormattableString.Invariant($"held by thread {holder}")
            : owner != 0 ? FormattableString.Invariant($"held by OS thread {owner}")
            : null;
        return new(WaitFamily.Lock, "Lock", WaitText.Join(held, $"{LockLayout.Waiters(state)} waiting"), null, item.Address) { Owner = holder, Holders = holder is { } one ? [one] : [] };
    }

    public WaitFacts? ReaderWriter(HeapObject item, int thread)
    {
        if (_readerWriters.Of(item) is not { } layout || item.Int32(layout.Writer) is not { } writer || item.Int32(layout.Upgrader) is not { } upgrader
            || item.UInt32(layout.Owners) is not { } owners || item.UInt32(layout.WriteWaiters) is not { } writers || item.UInt32(layout.ReadWaiters) is not { } readers)
            return null;
        int? holder = writer > 0 && writer != thread ? writer : upgrader > 0 && upgrader != thread ? upgrader : null;
        IReadOnlyList<int> reading = writer > 0 ? [] : _readers.Of(item, thread);
        string held = writer > 0 ? $"held for writing by thread {writer}"
            : upgrader > 0 ? $"held by thread {upgrader}, which may upgrade, and {WaitText.Count(ReaderWriterLayout.Readers(owners), "reader")}"
            : $"held by {WaitText.Count(ReaderWriterLayout.Readers(owners), "reader")}";
        string waiting = $"{WaitText.Count(writers, "writer")} and {WaitText.Count(readers, "reader")} waiting";
        return new(WaitFamily.Lock, "ReaderWriterLockSlim", WaitText.Join(held + Names(reading), waiting), null, item.Address)
        {
            Owner = holder ?? (reading is [var only] ? only : null),
            Holders = holder is { } one ? [one] : reading,
        };
    }

    private static string Names(IReadOnlyList<int> threads)
    {
        const int most = 5;
        if (threads.Count == 0)
            return "";
        string names = string.Join(", ", threads.Take(most).Select(id => id.ToString(CultureInfo.InvariantCulture)));
        return $": thread{(threads.Count == 1 ? "" : "s")} {names}{(threads.Count > most ? " and more" : "")}";
    }

    public WaitFacts? Joined(HeapObject item, int thread)
        => _threads.Of(item) is { } layout && item.Int32(layout.ManagedId) is > 0 and var other && other != thread
            ? new(WaitFamily.Thread, "Thread.Join", FormattableString.Invariant($"for thread {other}"), null, item.Address) { Owner = other, Holders = [other] }
            : null;

    private Dictionary<uint, int> ByOSThread()
    {
        if (_byOSThread is null)
        {
            _byOSThread = [];
            foreach (ClrThread thread in all.Target.Runtime.Threads.Where(t => t.IsAlive))
                _byOSThread.TryAdd(thread.OSThreadId, thread.ManagedThreadId);
        }
        return _byOSThread;
    }
}
