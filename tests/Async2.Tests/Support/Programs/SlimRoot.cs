namespace Async2.Tests.Support.Programs;

/// <summary>
/// The root folder of a container with one program in it: the native tool as <c>/dotnet-async2</c>, and of the system only what a distroless image has, the C and C++ libraries that the tool and the runtime's data
/// access library are linked with. No .NET, no shell.
/// </summary>
internal sealed class SlimRoot : IDisposable
{
    private readonly TemporaryFolder _root = new();

    public SlimRoot()
    {
        _root.OpenToEverybody();
        foreach (string folder in (string[])["proc", "tmp", "work"])
            Directory.CreateDirectory(_root.PathOf(folder));
        _root.SetMode("work", 0b1_111_111_111);
        ToolRun.CopyTo(_root.Path);
        foreach (string library in LibrariesOf(ToolRun.Native!).Union(LibrariesOf(Path.Join(Path.GetDirectoryName(typeof(object).Assembly.Location), "libmscordaccore.so"))))
        {
            string copy = Path.Join(_root.Path, library);
            Directory.CreateDirectory(Path.GetDirectoryName(copy)!);
            File.Copy(library, copy);
        }
    }

    /// <summary>A folder in it, <c>/work</c>, into which anybody may write.</summary>
    public string Work => _root.PathOf("work");

    /// <summary>Runs the tool in it, in this pid namespace or in the one of a process.</summary>
    /// <param name="sharedWith">The process whose pid namespace it is in; 0 for this one.</param>
    /// <param name="user">Number of the user and the group.</param>
    /// <param name="arguments">The tool's, one line of shell.</param>
    public ToolRun Run(int sharedWith, int user, string arguments)
    {
        string enter = sharedWith == 0 ? "" : $"nsenter -t {sharedWith} --pid ";
        string root = _root.Path;
        return ToolRun.Shell($"{enter}unshare --mount --propagation private sh -c 'mount -t proc proc {root}/proc && exec chroot --userspec={user}:{user} --groups= {root} /dotnet-async2 \"$@\"' sh {arguments}");
    }

    public void Dispose() => _root.Dispose();

    /// <summary>What a program or library is linked with, as full paths.</summary>
    public static IEnumerable<string> LibrariesOf(string file)
        => ToolRun.Shell($"ldd {file}").Output.Split('\n', StringSplitOptions.TrimEntries)
            .Select(line => line[(line.IndexOf("=> ", StringComparison.Ordinal) is var arrow and >= 0 ? arrow + 3 : 0)..].Split(' ')[0])
            .Where(path => path.StartsWith('/'));
}
