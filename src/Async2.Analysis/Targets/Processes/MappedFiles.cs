using Async2.Analysis.Targets.Memory;
using Microsoft.Win32.SafeHandles;

namespace Async2.Analysis.Targets.Processes;

/// <summary>
/// The files that a process had mapped, read in its place when it has ended. Only for pages that it never wrote to: the rest
/// was copied.
/// </summary>
internal sealed class MappedFiles : IDisposable
{
    private readonly MemoryMapping[] _mappings;
    private readonly TargetFiles _files;
    private readonly Dictionary<string, SafeFileHandle?> _open = new(StringComparer.Ordinal);

    /// <param name="mappings">By address.</param>
    /// <param name="files">The file system of their paths.</param>
    public MappedFiles(IEnumerable<MemoryMapping> mappings, TargetFiles files)
    {
        // A library of Windows is not in memory as it is in the file.
        _mappings = [.. mappings.Where(m => m.IsFile && m.IsReadable && !(OperatingSystem.IsWindows() && m.IsPrivate))];
        _files = files;
    }

    /// <summary>The mapping of a file that contains an address; null for none.</summary>
    public MemoryMapping? Find(ulong address) => AddressRanges.IndexOf<MemoryMapping>(_mappings, address) is >= 0 and var found ? _mappings[found] : null;

    /// <summary>Reads the content of a mapping; 0 beyond the end of the file, and -1 if the file no longer exists, too.</summary>
    public int Read(MemoryMapping mapping, ulong address, Span<byte> buffer)
    {
        if (!_open.TryGetValue(mapping.Path, out SafeFileHandle? file))
            _open[mapping.Path] = file = _files.Open(mapping.Path);
        if (file is null)
            return -1;
        try
        {
            int most = (int)Math.Min((ulong)buffer.Length, mapping.End - address);
            return RandomAccess.Read(file, buffer[..most], (long)(mapping.Offset + (address - mapping.Start)));
        }
        catch (Exception e) when (e is IOException or ArgumentException or NotSupportedException)
        {
            return -1;
        }
    }

    public void Dispose()
    {
        foreach (SafeFileHandle? file in _open.Values)
            file?.Dispose();
    }
}
