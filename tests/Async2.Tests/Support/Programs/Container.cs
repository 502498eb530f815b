namespace Async2.Tests.Support.Programs;

/// <summary>
/// A slim container: pid and mount namespaces, a root folder of its own with the system's libraries, a private copy of .NET in
/// <c>/opt/net</c> and the program in <c>/app</c>. Only root can make one; a rootless one is nobody's, who is root in it.
/// </summary>
internal sealed class Container : IDisposable
{
    private const string Program = "Situations";

    /// <summary>Runs something as a user who is nothing special.</summary>
    public static readonly string[] AsNobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];

    private readonly RuntimeCopy _runtime;
    private readonly TemporaryFolder _root = new(), _app = new();

    /// <param name="ownBuild">Its runtime is of a build that is installed nowhere.</param>
    public Container(bool ownBuild)
    {
        _runtime = new RuntimeCopy(ownBuild);
        // Where the tests are built nobody else may be able to read.
        foreach (string file in Directory.EnumerateFiles(Path.GetDirectoryName(ScenarioBuild.Situations.Assembly)!, Program + ".*"))
            File.Copy(file, _app.PathOf(Path.GetFileName(file)));
        Directory.CreateDirectory(_app.PathOf("tool"));
        ToolRun.CopyTo(Tool);
        _app.OpenToEverybody();
        _root.OpenToEverybody();
    }

    /// <summary>The tool as a line of shell, from a folder that everybody can read.</summary>
    public string OutsideTool => CommandOf("dotnet", Tool);

    /// <summary>The same, for who is inside.</summary>
    public static string InsideTool => CommandOf("/opt/net/dotnet", "/app/tool");

    /// <summary>The program, as it is found from outside.</summary>
    public string OutsideProgram => _app.PathOf(Program + ".dll");

    /// <summary>In a user namespace of its own, where nobody is root.</summary>
    public bool IsRootless { get; init; }

    /// <summary>Number of the user and the group that the program runs as, unless rootless.</summary>
    public int User { get; init; }

    public ScenarioProcess Start(params string[] arguments)
    {
        string root = _root.Path;
        string script = $"""
            set -e
            mount -t tmpfs -o mode=755 none {root}
            mkdir {root}/proc {root}/usr {root}/opt {root}/app {root}/etc {root}/dev
            mkdir -m 1777 {root}/tmp
            mount --rbind /usr {root}/usr
            mount --rbind /dev {root}/dev
            ln -s usr/lib {root}/lib
            ln -s usr/lib64 {root}/lib64
            cp -r {_runtime.Root} {root}/opt/net
            cp -r {_app.Path}/. {root}/app
            mount -t proc proc {root}/proc
            cd {root}
            exec chroot {(IsRootless ? "" : $"--userspec={User}:{User} --groups=")} {root} "$@"
            """;
        return ScenarioProcess.Start(new ScenarioBuild($"/app/{Program}.dll")
        {
            Host = [.. IsRootless ? [.. AsNobody, "unshare", "--user", "--map-root-user"] : (string[])["unshare"], "--pid", "--fork", "--mount", "--propagation", "private", "--kill-child", "sh", "-c", script, "sh", "/opt/net/dotnet"],
        }, arguments);
    }

    private string Tool => _app.PathOf("tool");

    private static string CommandOf(string host, string folder) => (ToolRun.Native is null ? host + " " : "") + Path.Join(folder, Path.GetFileName(ToolRun.Program));

    public void Dispose()
    {
        _runtime.Dispose();
        _root.Dispose();
        _app.Dispose();
    }
}
