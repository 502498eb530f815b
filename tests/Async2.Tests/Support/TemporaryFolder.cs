namespace Async2.Tests.Support;

/// <summary>A folder of its own for dumps, gone when disposed.</summary>
internal sealed class TemporaryFolder : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("async2-test-");

    public string PathOf(string name) => Path.Join(_folder.FullName, name);

    public void Dispose() => _folder.Delete(recursive: true);
}
