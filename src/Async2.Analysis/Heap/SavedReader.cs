using Async2.Analysis.Layouts;
using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Heap;

/// <summary>Where a continuation saved its method's variables: asked for a few of a million, so no columns of their own.</summary>
internal sealed class SavedReader(TargetMemory memory, ContinuationLayout? layout)
{
    /// <summary>Addresses of Data and GCData, 0 for null, or when they cannot be read; of a continuation that keeps its data itself its own, twice.</summary>
    public (ulong Data, ulong GCData) Read(ulong continuation)
    {
        if (layout is null)
            return default;
        if (layout.Shape == ContinuationShape.Inline)
            return (continuation, continuation);
        (int data, int gcData, _) = layout.SavingOffsets;
        memory.TryReadPointer(continuation + (ulong)data, out ulong bytes);
        memory.TryReadPointer(continuation + (ulong)gcData, out ulong references);
        return (bytes, references);
    }
}
