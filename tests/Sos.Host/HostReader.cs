using System.Runtime.InteropServices;
using Microsoft.Diagnostics.Runtime;
using Microsoft.Diagnostics.Runtime.DataReaders.Implementation;

namespace Sos.Host;

/// <summary>ClrMD's reader as hosts wrap it: without a path, and not safe for threads. It ends the process if two threads read at once.</summary>
internal sealed class HostReader(IDataReader inner) : IDataReader, IThreadReader
{
    private int _readers;

    public string DisplayName => "";

    public bool IsThreadSafe => false;

    public OSPlatform TargetPlatform => inner.TargetPlatform;

    public Architecture Architecture => inner.Architecture;

    public int ProcessId => inner.ProcessId;

    public int PointerSize => inner.PointerSize;

    public int Read(ulong address, Span<byte> buffer)
    {
        if (Interlocked.Increment(ref _readers) != 1)
            Environment.FailFast("two threads read at once");
        try
        {
            return inner.Read(address, buffer);
        }
        finally
        {
            Interlocked.Decrement(ref _readers);
        }
    }

    public unsafe bool Read<T>(ulong address, out T value)
        where T : unmanaged
    {
        T found = default;
        bool read = Read(address, new Span<byte>(&found, sizeof(T))) == sizeof(T);
        value = read ? found : default;
        return read;
    }

    public T Read<T>(ulong address)
        where T : unmanaged
        => Read(address, out T value) ? value : default;

    public bool ReadPointer(ulong address, out ulong value) => Read(address, out value);

    public ulong ReadPointer(ulong address) => Read<ulong>(address);

    public bool GetThreadContext(uint threadID, uint contextFlags, Span<byte> context) => inner.GetThreadContext(threadID, contextFlags, context);

    public IEnumerable<ModuleInfo> EnumerateModules() => inner.EnumerateModules();

    public IEnumerable<uint> EnumerateOSThreadIds() => (inner as IThreadReader)?.EnumerateOSThreadIds() ?? [];

    public ulong GetThreadTeb(uint osThreadId) => (inner as IThreadReader)?.GetThreadTeb(osThreadId) ?? 0;

    public void FlushCachedData() => inner.FlushCachedData();
}
