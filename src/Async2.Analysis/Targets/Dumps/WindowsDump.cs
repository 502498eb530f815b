using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Copying;
using Async2.Analysis.Targets.Memory;
using Async2.Analysis.Targets.Pe;
using Async2.Analysis.Targets.Stopping;
using Async2.Analysis.Targets.Windows;

namespace Async2.Analysis.Targets.Dumps;

/// <summary>
/// Writes a dump of a Windows process from outside: it need not answer, is stopped only until its memory is copied, and goes on if this tool
/// is killed (docs/decisions/0061-dumps-of-windows.md).
/// </summary>
[SupportedOSPlatform("windows")]
internal sealed class WindowsDump : IDisposable
{
    private const ushort X64 = 9, Arm64 = 12;

    // Writing takes as long as the disk does, when there is not enough memory for a copy.
    private static readonly TimeSpan StopLimit = TimeSpan.FromMinutes(10);

    private readonly ProcessAccess _hold;
    private readonly ProcessCopy _copy;
    private readonly CopiedProcessReader _reader;
    private readonly WindowsProcess _process;

    private WindowsDump(int pid)
    {
        _process = WindowsProcess.Open(pid);
        _hold = ProcessAccess.Take(pid, FreezeMode.Brief, MemoryBudget.Bytes, new Dictionary<uint, byte[]>(), StopLimit);
        _copy = _hold.Copy ?? ProcessCopy.OfNothing(pid, _hold.Freeze);
        _reader = CopiedProcessReader.Of(_copy, _hold.Freeze);
    }

    /// <summary>Which memory is written.</summary>
    internal enum Kind
    {
        /// <summary>All.</summary>
        Full,

        /// <summary>What the process has for itself and may write to, as of "heap" dumps (MiniDumpWithPrivateReadWriteMemory).</summary>
        Heap,
    }

    /// <summary>Writes a dump.</summary>
    /// <param name="pid">The process.</param>
    /// <param name="path">The file; an existing one is replaced.</param>
    /// <param name="kind">Which memory.</param>
    /// <param name="progress">Told how much is written.</param>
    /// <param name="cancellation">Ends it.</param>
    /// <exception cref="TargetException">The process cannot be stopped or read.</exception>
    /// <exception cref="InvalidOperationException">It has ended.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be read, or the file not be written.</exception>
    public static void Write(int pid, string path, Kind kind, IProgress<AnalysisProgress>? progress, CancellationToken cancellation)
    {
        using var dump = new WindowsDump(pid);
        dump.Check();
        File.Delete(path);
        using FileStream file = PrivateFile.Create(path);
        MinidumpWriter.Write(file, dump.Content(kind), dump._reader.Read, written =>
        {
            cancellation.ThrowIfCancellationRequested();
            dump.Check();
            progress?.Report(new AnalysisProgress(string.Create(CultureInfo.InvariantCulture, $"writing the dump, {written / 1_000_000} MB"), null));
        });
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _reader.Dispose();
        _copy.View.Dispose();
        _hold.Dispose();
        _process.Dispose();
    }

    // A dump of two moments is worse than none.
    private void Check()
    {
        if (_hold.Freeze is { IsOver: true } || (!_copy.IsStill && _hold.Freeze is null))
            throw new TargetException($"process {Text} could not be held while its dump was written: {(_hold.Freeze is null ? AccessDenial.Of(_copy.Pid).Why : "that took too long")}",
                AccessDenial.Of(_copy.Pid).FixFor(_copy.Pid));
    }

    private string Text => _copy.Pid.ToString(CultureInfo.InvariantCulture);

    private MinidumpContent Content(Kind kind)
    {
        List<WindowsRegion> regions = WindowsRegion.Of(_process);
        Dictionary<uint, ulong> blocks = ThreadBlocks.Of(_process);
        return new()
        {
            Pid = _copy.Pid,
            Started = _process.Started > 0 ? DateTime.FromFileTimeUtc(_process.Started) : DateTime.UnixEpoch,
            Processor = RuntimeInformation.ProcessArchitecture == Architecture.Arm64 ? Arm64 : X64,
            System = Environment.OSVersion.Version,
            Threads = [.. _copy.Threads.OrderBy(thread => thread.Key).Select(thread => Thread(thread.Key, thread.Value, blocks.GetValueOrDefault(thread.Key)))],
            Modules = [.. _process.Modules().Select(Module).OfType<MinidumpModule>()],
            Regions = [.. regions.Select(region => new MinidumpRegion(region.Start, region.AllocationStart, region.End - region.Start, region.Protection, region.NativeKind))],
            Ranges = [.. Ranges(kind)],
            Flags = kind == Kind.Full ? 0x802u : 0xa00,
        };
    }

    // Of the moment that was copied, not of now.
    private IEnumerable<(ulong, ulong)> Ranges(Kind kind) => _copy.Mappings
        .Where(mapping => mapping.IsReadable && (kind == Kind.Full || (mapping.IsWritable && mapping.Kind == MappingKind.Anonymous)))
        .Select(mapping => (mapping.Start, mapping.Length));

    private MinidumpThread Thread(uint id, byte[] context, ulong block)
    {
        ulong top = ThreadContextReader.StackPointer(context);
        MemoryMapping? stack = _copy.Mappings.FirstOrDefault(mapping => top >= mapping.Start && top < mapping.End);
        return new(id, block, stack is null ? (0, 0) : (top, Math.Min(stack.End - top, uint.MaxValue)), context);
    }

    private MinidumpModule? Module((ulong Start, string Path) module)
    {
        byte[] head = new byte[4096];
        int length = _reader.Read(module.Start, head);
        return PeHeader.Read(head.AsSpan(0, length)) is not { } header ? null : new(
            module.Start, header.Size, header.Stamp, module.Path, VersionOf(module.Path), PeSymbols.Find((offset, buffer) => _reader.Read(module.Start + offset, buffer) == buffer.Length, header));
    }

    private static Version? VersionOf(string path)
    {
        try
        {
            FileVersionInfo version = FileVersionInfo.GetVersionInfo(path);
            return version.FileVersion is null ? null : new(version.FileMajorPart, version.FileMinorPart, version.FileBuildPart, version.FilePrivatePart);
        }
        catch (Exception e) when (e is IOException or ArgumentException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
