using System.Runtime.InteropServices;

namespace Async2.Benchmarks;

/// <summary>
/// Where a dump lies while it is measured: a folder of this process. Removed afterwards, also when Ctrl-C comes; what a run
/// that was killed left behind is removed by the next one.
/// </summary>
internal sealed class DumpFolder : IDisposable
{
    // createdump writes mapped files and reserved structures, too.
    private const long Besides = 500_000_000;

    private const string Prefix = "bench-";

    private static readonly string Cache = Repository.PathOf("dumps", ".cache");

    private readonly string _path = Path.Join(Cache, $"{Prefix}{Environment.ProcessId}");
    private readonly PosixSignalRegistration _interrupted;
    private readonly PosixSignalRegistration _terminated;

    public DumpFolder()
    {
        Directory.CreateDirectory(_path);
        foreach (string left in Directory.GetDirectories(Cache, Prefix + "*").Where(left => !Directory.Exists("/proc/" + Path.GetFileName(left)[Prefix.Length..])))
            Directory.Delete(left, recursive: true);
        _interrupted = PosixSignalRegistration.Create(PosixSignal.SIGINT, _ => Remove());
        _terminated = PosixSignalRegistration.Create(PosixSignal.SIGTERM, _ => Remove());
    }

    public string PathOf(string file) => Path.Join(_path, file);

    /// <summary>Makes sure that a dump of a process fits, and leaves as much free again.</summary>
    /// <param name="size">Bytes that the process has in memory.</param>
    /// <exception cref="BenchException">It does not fit.</exception>
    public void MustHold(long size)
    {
        long needed = 2 * (size + Besides);
        long free = new DriveInfo(_path).AvailableFreeSpace;
        if (free < needed)
            throw new BenchException($"the dump needs {needed / 1_000_000} MB of free disk, there are {free / 1_000_000}");
    }

    public void Dispose()
    {
        _interrupted.Dispose();
        _terminated.Dispose();
        Remove();
    }

    private void Remove()
    {
        if (Directory.Exists(_path))
            Directory.Delete(_path, recursive: true);
    }
}
