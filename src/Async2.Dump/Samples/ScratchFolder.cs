namespace Async2.Dump.Samples;

/// <summary>A temporary folder that is deleted when disposed, or when the process ends before that.</summary>
internal sealed class ScratchFolder : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("async2-demo-");

    /// <summary>Creates the folder.</summary>
    public ScratchFolder() => AppDomain.CurrentDomain.ProcessExit += OnExit;

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
