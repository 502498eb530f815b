namespace Async2.Benchmarks;

/// <summary>Where this checkout is: found from the program upwards, so that no path stands in any file.</summary>
internal static class Repository
{
    private static readonly string Root = FindRoot(AppContext.BaseDirectory);

    public static string PathOf(params string[] parts) => Path.Join([Root, .. parts]);

    private static string FindRoot(string folder)
        => File.Exists(Path.Join(folder, "Async2Diag.sln")) ? folder : FindRoot(Path.GetDirectoryName(folder.TrimEnd('/', '\\'))!);
}
