using System.Buffers.Binary;
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
internal sealed class GuardedReader : MemoryReader, IDataReader, IThreadReader, IDisposable
{
    private readonly Dictionary<uint, byte[]> _callers = [];
    private readonly List<(ulong Address, byte[] Bytes)> _words = [];
    private IDataReader _inner;

    /// <param name="inner">ClrMD's reader.</param>
    /// <param name="image">Memory that is already in this process and is read instead; null for none.</param>
    public GuardedReader(IDataReader inner, MemoryImage? image = null) => (_inner, Image) = (inner, image);

    /// <summary>Why reading failed permanently; null as long as memory is only missing in places.</summary>
    public Exception? Failure { get; private set; }

    /// <summary>The process that is read has ended.</summary>
    public bool HasEnded => Failure is InvalidOperationException || _inner is CopiedProcessReader { HasEnded: true, HasMissed: true };

    /// <summary>The process ended after it was copied, and memory that is nowhere else was requested.</summary>
    public bool HasMissed => _inner is CopiedProcessReader { HasMissed: true };

    /// <summary>Memory that is already in this process; null for none.</summary>
    public MemoryImage? Image { get; private set; }

    /// <summary>Reads the second copy of the target while this is set.</summary>
    public ChangedPages? SecondCopy { get; set; }

    public string DisplayName => _inner.DisplayName;

    public bool IsThreadSafe => _inner.IsThreadSafe;

    public OSPlatform TargetPlatform => _inner.TargetPlatform;

    public Architecture Architecture => _inner.Architecture;

    public int ProcessId => _inner.ProcessId;

    public override int PointerSize => _inner.PointerSize;

    public override int Read(ulong address, Span<byte> buffer)
    {
        int total = 0;
        // Adjacent memory of the target may be in several places here, but the DAC asks once.
        while (total < buffer.Length && address <= ulong.MaxValue - (ulong)total && ReadPart(address + (ulong)total, buffer[total..]) is > 0 and var count)
            total += count;
        PutWords(address, buffer[..total]);
        return total;
    }

    public bool GetThreadContext(uint threadID, uint contextFlags, Span<byte> context)
    {
        if (!_callers.TryGetValue(threadID, out byte[]? caller))
            return GetOwnContext(threadID, contextFlags, context);
        caller.AsSpan(0, Math.Min(caller.Length, context.Length)).CopyTo(context);
        return true;
    }

    /// <summary>From now on the DAC sees a thread in the managed code that called the native code in which the thread stands.</summary>
    /// <param name="threadID">The system's id.</param>
    /// <param name="context">The registers there.</param>
    public void PutCaller(uint threadID, byte[] context) => _callers[threadID] = context;

    /// <summary>From now on the DAC sees another word.</summary>
    /// <param name="address">Where it is.</param>
    /// <param name="word">The word.</param>
    public void PutWord(ulong address, ulong word)
    {
        byte[] bytes = new byte[sizeof(ulong)];
        BinaryPrimitives.WriteUInt64LittleEndian(bytes, word);
        _words.Add((address, bytes));
    }

    /// <summary>The registers that a thread really has.</summary>
    public bool GetOwnContext(uint threadID, uint contextFlags, Span<byte> context)
    {
        try
        {
            return Failure is null && _inner.GetThreadContext(threadID, contextFlags, context);
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            // The thread has ended, or the dump's note about it is damaged.
            return false;
        }
    }

    public IEnumerable<ModuleInfo> EnumerateModules() => _inner.EnumerateModules();

    public IEnumerable<uint> EnumerateOSThreadIds() => (_inner as IThreadReader)?.EnumerateOSThreadIds() ?? [];

    public ulong GetThreadTeb(uint osThreadId) => (_inner as IThreadReader)?.GetThreadTeb(osThreadId) ?? 0;

    public void FlushCachedData() => _inner.FlushCachedData();

    /// <summary>From now on the same process is read in another way.</summary>
    /// <param name="inner">Instead of the reader before, which is closed.</param>
    /// <param name="image">Instead of the memory before, which is freed.</param>
    public void Switch(IDataReader inner, MemoryImage? image)
    {
        Dispose();
        _callers.Clear();
        _words.Clear();
        (_inner, Image, Failure) = (inner, image, null);
    }

    public void Dispose()
    {
        (_inner as IDisposable)?.Dispose();
        Image?.Dispose();
    }

    private void PutWords(ulong address, Span<byte> buffer)
    {
        foreach ((ulong place, byte[] bytes) in _words)
        {
            // The part of the word that was read.
            ulong start = Math.Max(place, address), end = Math.Min(place + sizeof(ulong), address + (ulong)buffer.Length);
            if (start < end)
                bytes.AsSpan((int)(start - place), (int)(end - start)).CopyTo(buffer[(int)(start - address)..]);
        }
    }

    private int ReadPart(ulong address, Span<byte> buffer)
    {
        if (SecondCopy is not null && SecondCopy.Read(address, buffer) is > 0 and var changed)
            return changed;
        if (Image is not null && Image.Read(address, buffer) is > 0 and var count)
            return count;
        // A process that has ended stays so; a million more attempts would take minutes.
        if (Failure is not null)
            return 0;
        try
        {
            return _inner.Read(address, buffer);
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
