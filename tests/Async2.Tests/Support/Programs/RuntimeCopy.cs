namespace Async2.Tests.Support.Programs;

/// <summary>
/// A runtime that is installed nowhere: a copy of this one, with another build id in its libcoreclr.so, in a temporary folder.
/// A program that runs on it can only be read with the data access library of the copy.
/// </summary>
public sealed class RuntimeCopy : IDisposable
{
    private const string Library = "libmscordaccore.so";

    private readonly TemporaryFolder _folder = new();

    /// <summary>A copy with a build id of its own.</summary>
    public RuntimeCopy()
        : this(ownBuild: true)
    {
    }

    /// <param name="ownBuild">False leaves it of the same build as the installed one.</param>
    internal RuntimeCopy(bool ownBuild)
    {
        string framework = Path.GetDirectoryName(typeof(object).Assembly.Location)!;
        string root = Path.GetFullPath(Path.Join(framework, "../../.."));
        Folder = Path.Join(_folder.Path, Path.GetRelativePath(root, framework));
        foreach (string file in Directory.EnumerateFiles(framework).Concat(Directory.EnumerateFiles(Path.Join(root, "host"), "*", SearchOption.AllDirectories)).Append(Path.Join(root, "dotnet")))
        {
            string copy = Path.Join(_folder.Path, Path.GetRelativePath(root, file));
            Directory.CreateDirectory(Path.GetDirectoryName(copy)!);
            File.Copy(file, copy);
        }
        if (ownBuild)
            ChangeBuildId(Path.Join(Folder, "libcoreclr.so"));
        File.Copy(BesideRuntime, Dac);
        _folder.OpenToEverybody();
    }

    /// <summary>The program that runs other programs on it.</summary>
    public string Host => _folder.PathOf("dotnet");

    /// <summary>All of it.</summary>
    public string Root => _folder.Path;

    /// <summary>Where libcoreclr.so is.</summary>
    public string Folder { get; }

    /// <summary>Its data access library, in a place where nobody looks for it.</summary>
    public string Dac => _folder.PathOf(Library);

    /// <summary>Its data access library where it belongs; a runtime cannot write dumps without it.</summary>
    public string BesideRuntime => Path.Join(Folder, Library);

    public void Dispose() => _folder.Dispose();

    private static void ChangeBuildId(string path)
    {
        byte[] id = Async2.Analysis.Targets.Elf.ElfBuildId.Read(path) ?? throw new InvalidOperationException("no build id in " + path);
        byte[] content = File.ReadAllBytes(path);
        content[content.AsSpan().IndexOf(id)] ^= 0xff;
        File.WriteAllBytes(path, content);
    }
}
