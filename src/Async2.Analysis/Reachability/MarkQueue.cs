using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Async2.Analysis.Reachability;

/// <summary>An object to follow.</summary>
/// <param name="bytes">Where it lies in this process.</param>
/// <param name="room">Bytes from there to the end of its segment; 0 for no object.</param>
internal readonly unsafe struct MarkItem(byte* bytes, ulong room)
{
    /// <summary>Where it lies in this process.</summary>
    public readonly byte* Bytes = bytes;

    /// <summary>Bytes from there to the end of its segment; 0 for no object.</summary>
    public readonly ulong Room = room;
}

/// <summary>An array that stays where it is.</summary>
/// <param name="count">How many items it has.</param>
internal readonly unsafe struct PinnedArray<T>(int count)
    where T : unmanaged
{
    private readonly T[] _items = GC.AllocateArray<T>(count, pinned: true);

    /// <summary>How many items there are.</summary>
    public int Count => _items.Length;

    /// <summary>The first; valid as long as this is in a field of something alive.</summary>
    public T* First => (T*)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(_items));
}

/// <summary>Objects that one thread has still to follow.</summary>
internal unsafe struct MarkStack
{
    private const int LeastItems = 4096;

    private PinnedArray<MarkItem> _items = new(LeastItems);
    private MarkItem* _next;
    private MarkItem* _first;
    private MarkItem* _end;

    /// <summary>An empty one.</summary>
    public MarkStack() => Use(_items, 0);

    /// <summary>How many there are.</summary>
    public readonly int Count => (int)(_next - _first);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Push(MarkItem item)
    {
        if (_next == _end)
            Grow();
        *_next++ = item;
    }

    /// <summary>The last one; none if it is empty.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public MarkItem Pop() => _next == _first ? default : *--_next;

    /// <summary>Takes some off, oldest first: those that lead furthest.</summary>
    public MarkItem[] TakeHalf()
    {
        int half = Count / 2, left = Count - half;
        MarkItem[] taken = new Span<MarkItem>(_first, half).ToArray();
        new Span<MarkItem>(_first + half, left).CopyTo(new(_first, left));
        _next = _first + left;
        return taken;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Grow()
    {
        int count = Count;
        var items = new PinnedArray<MarkItem>(checked(count * 2));
        new Span<MarkItem>(_first, count).CopyTo(new(items.First, count));
        Use(items, count);
    }

    private void Use(PinnedArray<MarkItem> items, int count)
    {
        _items = items;
        _first = items.First;
        _next = _first + count;
        _end = _first + items.Count;
    }
}

/// <summary>Gives work of threads that have much to those that have none, and knows when all is done.</summary>
internal sealed class MarkQueue
{
    /// <summary>Less is not worth a lock.</summary>
    public const int LeastShared = 256;

    private readonly object _changing = new();
    private readonly Stack<MarkItem[]> _parts = new();
    private int _working;
    private volatile int _idle;

    /// <summary>Nobody goes on.</summary>
    public bool IsStopped { get; private set; }

    /// <summary>One thread begins to work.</summary>
    public void Begin()
    {
        _working = 1;
        _idle = 0;
        _parts.Clear();
    }

    /// <summary>Another thread will begin to work.</summary>
    public void Join()
    {
        lock (_changing)
            _working++;
    }

    /// <summary>All threads stop as soon as they look.</summary>
    public void Stop()
    {
        lock (_changing)
        {
            IsStopped = true;
            Monitor.PulseAll(_changing);
        }
    }

    /// <summary>Gives a part of a thread's work away if somebody has none.</summary>
    public void Share(ref MarkStack stack)
    {
        if (_idle == 0 || stack.Count < LeastShared)
            return;
        lock (_changing)
        {
            _parts.Push(stack.TakeHalf());
            Monitor.Pulse(_changing);
        }
    }

    /// <summary>Waits for work; false when nobody has any.</summary>
    public bool Take(ref MarkStack stack)
    {
        lock (_changing)
        {
            _idle++;
            while (_parts.Count == 0 && _idle < _working && !IsStopped)
                Monitor.Wait(_changing);
            if (IsStopped || _parts.Count == 0)
            {
                // It stays idle, so that all others see that nobody works.
                Monitor.PulseAll(_changing);
                return false;
            }
            _idle--;
            foreach (MarkItem item in _parts.Pop())
                stack.Push(item);
            return true;
        }
    }
}
