namespace Async2.Tests.Support;

/// <summary>A folder for the time of a test.</summary>
internal sealed class TemporaryFolder : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("async2-tests-");

    public string Path => _folder.FullName;

    public string PathOf(string file) => System.IO.Path.Join(Path, file);

    /// <summary>Sets the mode of a file in it.</summary>
    public void SetMode(string name, int mode)
    {
        if (!OperatingSystem.IsWindows())
            File.SetUnixFileMode(PathOf(name), (UnixFileMode)mode);
    }

    /// <summary>Lets other users read it; at first only its owner may.</summary>
    public void OpenToEverybody()
    {
        if (!OperatingSystem.IsWindows())
            File.SetUnixFileMode(Path, File.GetUnixFileMode(Path) | UnixFileMode.OtherRead | UnixFileMode.OtherExecute | UnixFileMode.GroupRead | UnixFileMode.GroupExecute);
    }

    public void Dispose() => _folder.Delete(recursive: true);
}
