using Async2.Analysis.Targets.Files;
using Async2.Analysis.Targets.Processes;
using Microsoft.Win32.SafeHandles;

namespace Async2.Analysis.Targets.Dumps;

/// <summary>
/// Where a process is asked to write its dump. One that sees our files writes it where it is wanted; one in a container into its own
/// temporary folder, from where it is fetched and deleted. Whatever lies there was made by somebody in the container: it is only taken if
/// it is a plain file of the process's own users.
/// </summary>
internal sealed class DumpPlace : IDisposable
{
    private readonly string _draft;
    private readonly TargetFiles _files;

    private DumpPlace(string draft, TargetFiles files, string asked) => (_draft, _files, Asked) = (draft, files, asked);

    /// <summary>The path that the process is given, of its own file system.</summary>
    public string Asked { get; }

    /// <summary>The folder of <see cref="Asked"/>, for people.</summary>
    public string Folder => Path.GetDirectoryName(_files.NameHere(Asked)) ?? "/";

    /// <summary>How much is written; 0 for nothing yet.</summary>
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

    /// <summary>Chooses.</summary>
    /// <param name="pid">The process.</param>
    /// <param name="draft">Where the dump is wanted; what is there is deleted.</param>
    public static DumpPlace Of(int pid, string draft)
    {
        File.Delete(draft);
        TargetFiles files = TargetFiles.Of(pid);
        return new(draft, files, files.IsElsewhere ? FormattableString.Invariant($"{ProcFiles.TemporaryFolder(pid)}/dotnet-async2-{Guid.NewGuid():N}.dmp") : draft);
    }

    /// <summary>Brings the dump to where it is wanted; false when there is none.</summary>
    /// <exception cref="IOException">There is no room for it.</exception>
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

    /// <summary>Deletes what is left.</summary>
    public void Dispose()
    {
        if (_files.IsElsewhere)
            _files.Delete(Asked);
        _files.Dispose();
        File.Delete(_draft);
    }
}
