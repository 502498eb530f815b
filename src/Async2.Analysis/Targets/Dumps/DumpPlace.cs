using Async2.Analysis.Targets.Files;
using Async2.Analysis.Targets.Processes;
using Microsoft.Win32.SafeHandles;

namespace Async2.Analysis.Targets.Dumps;

/// <summary>
/// Where a process is asked to write its dump. A process that sees our files writes it to the requested path; one in a container into its own
/// temporary folder, from which it is copied and deleted. A file there may come from anybody in the container: it is only used if
/// it is a regular file of the process's own users.
/// </summary>
internal sealed class DumpPlace : IDisposable
{
    private readonly string _draft;
    private readonly TargetFiles _files;

    private DumpPlace(string draft, TargetFiles files, string asked) => (_draft, _files, Asked) = (draft, files, asked);

    /// <summary>The path for the process, in its own file system.</summary>
    public string Asked { get; }

    /// <summary>The folder of <see cref="Asked"/>, for messages.</summary>
    public string Folder => Path.GetDirectoryName(_files.NameHere(Asked)) ?? "/";

    /// <summary>The number of bytes written so far.</summary>
    public long Length
    {
        get
        {
            if (!_files.IsElsewhere)
                return new FileInfo(_draft) is { Exists: true } file ? file.Length : 0;
            using SafeFileHandle? written = _files.Open(Asked);
            return written is null ? 0 : LinuxFiles.FactsOf(written)?.Size ?? 0;
        }
    }

    /// <summary>Chooses the place.</summary>
    /// <param name="pid">The process.</param>
    /// <param name="draft">The requested path of the dump; an existing file is deleted.</param>
    public static DumpPlace Of(int pid, string draft)
    {
        File.Delete(draft);
        TargetFiles files = TargetFiles.Of(pid);
        return new(draft, files, files.IsElsewhere ? FormattableString.Invariant($"{ProcFiles.TemporaryFolder(pid)}/dotnet-async2-{Guid.NewGuid():N}.dmp") : draft);
    }

    /// <summary>Moves the dump to the requested path; false if there is none.</summary>
    /// <exception cref="IOException">There is not enough space for it.</exception>
    public bool Fetch()
    {
        if (_files.IsElsewhere)
        {
            using SafeFileHandle? written = _files.Open(Asked);
            if (written is null || LinuxFiles.FactsOf(written) is not { Links: 1 })
                return false;
            using var from = new FileStream(written, FileAccess.Read);
            var options = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write };
            if (!OperatingSystem.IsWindows())
                options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
            using var to = new FileStream(_draft, options);
            from.CopyTo(to);
        }
        return new FileInfo(_draft) is { Exists: true, Length: > 0 };
    }

    /// <summary>Deletes remaining files.</summary>
    public void Dispose()
    {
        if (_files.IsElsewhere)
            _files.Delete(Asked);
        _files.Dispose();
        File.Delete(_draft);
    }
}
