namespace Async2.Tests.Support;

/// <summary>Where this checkout is: found from the test program upwards, so that no path stands in any file.</summary>
internal static class Repository
{
    public static string Root { get; } = FindRoot(AppContext.BaseDirectory);

    public static string PathOf(params string[] parts) => Path.Join([Root, .. parts]);

    /// <summary>All C# files below a folder that people wrote.</summary>
    public static IEnumerable<string> CSharpFiles(string folder) => Directory
        .EnumerateFiles(PathOf(folder), "*.cs", SearchOption.AllDirectories)
        .Where(path => !path.Split(Path.DirectorySeparatorChar).Any(part => part is "bin" or "obj" or ".cache"))
        .Order(StringComparer.Ordinal);

    private static string FindRoot(string folder)
        => File.Exists(Path.Join(folder, "Async2Diag.sln")) ? folder : FindRoot(Path.GetDirectoryName(folder.TrimEnd('/', '\\'))!);
}
