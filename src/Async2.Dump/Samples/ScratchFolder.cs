namespace Async2.Dump.Samples;

/// <summary>A temporary folder that is deleted when disposed, or when the process ends before that.</summary>
internal sealed class ScratchFolder : IDisposable
{
    private readonly DirectoryInfo _folder;

    /// <summary>Creates the folder, which only its owner can read.</summary>
    /// <param name="prefix">How its name begins.</param>
    public ScratchFolder(string prefix = "async2-demo-")
    {
        _folder = Directory.CreateTempSubdirectory(prefix);
        AppDomain.CurrentDomain.ProcessExit += OnExit;
    }

    /// <summary>Full path of a file in it.</summary>
    public string PathOf(string file) => Path.Join(_folder.FullName, file);

    /// <inheritdoc/>
    public void Dispose()
    {
        AppDomain.CurrentDomain.ProcessExit -= OnExit;
        if (Directory.Exists(_folder.FullName))
            _folder.Delete(recursive: true);
    }

    private void OnExit(object? sender, EventArgs e) => Dispose();
}
