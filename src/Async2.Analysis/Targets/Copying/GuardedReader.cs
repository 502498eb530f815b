using System.Runtime.InteropServices;
using Async2.Analysis.Targets.Memory;
using Microsoft.Diagnostics.Runtime;
using Microsoft.Diagnostics.Runtime.DataReaders.Implementation;

namespace Async2.Analysis.Targets.Copying;

/// <summary>
/// ClrMD's reader of a process or dump, made safe for the DAC. The DAC is native code that reads through a callback, and an
/// exception that leaves a callback ends this process immediately: ClrMD throws one as soon as the target process has
/// ended. Here every failure is "no bytes", and the first one is recorded.
/// </summary>
/// <param name="inner">ClrMD's reader.</param>
/// <param name="image">Memory that is already in this process and is read instead; null for none.</param>
internal sealed class GuardedReader(IDataReader inner, MemoryImage? image = null) : MemoryReader, IDataReader, IThreadReader, IDisposable
{
    /// <summary>Why reading failed permanently; null as long as memory is only missing in places.</summary>
    public Exception? Failure { get; private set; }

    /// <summary>The process that is read has ended.</summary>
    public bool HasEnded => Failure is InvalidOperationException || inner is CopiedProcessReader { HasEnded: true, HasMissed: true };

    /// <summary>The process ended after it was copied, and memory that is nowhere else was requested.</summary>
    public bool HasMissed => inner is CopiedProcessReader { HasMissed: true };

    /// <summary>Memory that is already in this process; null for none.</summary>
    public MemoryImage? Image => image;

    /// <summary>Reads the second copy of the target while this is set.</summary>
    public ChangedPages? SecondCopy { get; set; }

    public string DisplayName => inner.DisplayName;

    public bool IsThreadSafe => inner.IsThreadSafe;

    public OSPlatform TargetPlatform => inner.TargetPlatform;

    public Architecture Architecture => inner.Architecture;

    public int ProcessId => inner.ProcessId;

    public override int PointerSize => inner.PointerSize;

    public override int Read(ulong address, Span<byte> buffer)
    {
        int total = 0;
        // Adjacent memory of the target may be in several places here, but the DAC asks once.
        while (total < buffer.Length && address <= ulong.MaxValue - (ulong)total && ReadPart(address + (ulong)total, buffer[total..]) is > 0 and var count)
            total += count;
        return total;
    }

    public bool GetThreadContext(uint threadID, uint contextFlags, Span<byte> context)
    {
        try
        {
            return Failure is null && inner.GetThreadContext(threadID, contextFlags, context);
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            // The thread has ended, or the dump's note about it is damaged.
            return false;
        }
    }

    public IEnumerable<ModuleInfo> EnumerateModules() => inner.EnumerateModules();

    public IEnumerable<uint> EnumerateOSThreadIds() => (inner as IThreadReader)?.EnumerateOSThreadIds() ?? [];

    public ulong GetThreadTeb(uint osThreadId) => (inner as IThreadReader)?.GetThreadTeb(osThreadId) ?? 0;

    public void FlushCachedData() => inner.FlushCachedData();

    public void Dispose()
    {
        (inner as IDisposable)?.Dispose();
        image?.Dispose();
    }

    private int ReadPart(ulong address, Span<byte> buffer)
    {
        if (SecondCopy is not null && SecondCopy.Read(address, buffer) is > 0 and var changed)
            return changed;
        if (image is not null && image.Read(address, buffer) is > 0 and var count)
            return count;
        // A process that has ended stays so; a million more attempts would take minutes.
        if (Failure is not null)
            return 0;
        try
        {
            return inner.Read(address, buffer);
        }
        catch (Exception e) when (e is InvalidOperationException or IOException or UnauthorizedAccessException)
        {
            Failure = e;
            return 0;
        }
        catch (Exception e) when (e is ArgumentException or OverflowException)
        {
            // An impossible address, from damaged data.
            return 0;
        }
    }
}
