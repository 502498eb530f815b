using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Families.Tasklets;

/// <summary>
/// What every valid tasklet keeps to (RuntimeSuspension_CaptureTasklets of the async2 experiment). There is no magic number in it,
/// so these rules are how a tasklet is told from other memory. The first one that is broken is named, and the chain goes on.
/// </summary>
internal sealed class TaskletRules(TaskletReader reader)
{
    public const string StackSize = "stack-size";
    public const string StackData = "stack-data";
    public const string StackInfo = "stack-info";
    public const string ObjectRefs = "object-refs";
    public const string ByRefs = "byrefs";
    public const string Registers = "registers";
    public const string ReturnType = "return-type";
    public const string Generation = "generation";

    // A frame is at most as long as a stack; GCs have a few generations.
    private const uint FrameLimit = 64 * 1024 * 1024;
    private const int LastGeneration = 4;
    private const int Word = 8;

    private readonly TaskletLayout _layout = reader.Layout;
    private readonly int _registers = reader.Layout.RegisterNames.Count;

    /// <summary>Name of the first rule that a tasklet breaks; null for a sound one.</summary>
    public string? FirstBroken(in TaskletRow row)
    {
        if (row.ReturnType < 0 || row.ReturnType >= _layout.ReturnTypes)
            return ReturnType;
        if (row.Generation > LastGeneration || (row.Generation < 0 && row.Generation != _layout.ActiveGeneration))
            return Generation;
        if (!reader.TryReadFrame(row.Info, out TaskletFrame frame))
            return StackInfo;
        if (!HasSize(frame))
            return StackSize;
        if (!reader.Has(row.StackData, frame.DataSize))
            return StackData;
        if (!AreOffsets(frame.ObjectRefs, frame.ObjectRefCount, frame.Extent))
            return ObjectRefs;
        if (!AreOffsets(frame.ByRefs, frame.ByRefCount, frame.Extent))
            return ByRefs;
        return EndsList(frame.Registers, frame.Extent) ? null : Registers;
    }

    // Return address, then the arguments on the stack, and nothing else.
    private bool HasSize(in TaskletFrame frame)
    {
        ulong end = (ulong)frame.ReturnSlot + Word;
        bool isWhole = _layout.ArgumentBytes < 0 ? end <= frame.Extent : end + frame.ArgumentBytes == frame.Extent;
        return frame.DataSize is > 0 and <= FrameLimit && isWhole && frame.Requirement == frame.Extent;
    }

    // Negative offsets are those of pinned ones.
    private bool AreOffsets(ulong address, uint count, ulong extent)
    {
        if (count == 0)
            return true;
        if (count > extent / sizeof(int) || !reader.TryRead(address, (int)count * sizeof(int), out NativeBytes bytes))
            return false;
        for (int i = 0; i < (int)count; i++)
        {
            long offset = bytes.Int32(i * sizeof(int));
            if ((offset < 0 ? -offset : offset) + Word > (long)extent)
                return false;
        }
        return true;
    }

    private bool EndsList(ulong address, ulong extent)
    {
        for (int i = 0; i <= _registers; i++, address += (ulong)_layout.RegisterStride)
        {
            if (!reader.TryRead(address, _layout.RegisterStride, out NativeBytes entry))
                return false;
            int number = entry.Int32(_layout.RegisterNumber);
            if (number >= _layout.FirstEnd && number <= _layout.LastEnd)
                return true;
            uint slot = entry.UInt32(_layout.RegisterSlot);
            if (number < 0 || number >= _registers || (ulong)slot + Word > extent)
                return false;
        }
        return false;
    }
}
