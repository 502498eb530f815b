using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Targets.Copying;

/// <summary>While this is not disposed, what was not copied of a heap may be read as it is now, as long as no object has moved: for ways to an object, whose names stay.</summary>
internal sealed class LaterReading : IDisposable
{
    private readonly OldHeap _heap;
    private readonly TargetMemory _memory;

    /// <param name="heap">What was not copied.</param>
    /// <param name="memory">Keeps what was read.</param>
    public LaterReading(OldHeap heap, TargetMemory memory)
    {
        (_heap, _memory) = (heap, memory);
        _heap.IsLaterFine = true;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _heap.IsLaterFine = false;
        if (_heap.WasLater)
            _memory.Forget();
        _heap.WasLater = false;
    }
}
