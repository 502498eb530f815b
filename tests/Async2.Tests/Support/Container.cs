namespace Async2.Tests.Support;

/// <summary>
/// A slim container: pid and mount namespaces, a root folder of its own with the system's libraries, a private copy of .NET in
/// <c>/opt/net</c> and the program in <c>/app</c>. Only root can make one.
/// </summary>
internal sealed class Container : IDisposable
{
    private const string Program = "Situations";

    private readonly RuntimeCopy _runtime;
    private readonly TemporaryFolder _root = new();

    /// <param name="ownBuild">Its runtime is of a build that is installed nowhere.</param>
    public Container(bool ownBuild) => _runtime = new RuntimeCopy(ownBuild);

    public ScenarioProcess Start(params string[] arguments)
    {
        string folder = Path.GetDirectoryName(ScenarioBuild.Situations.Assembly)!, root = _root.Path;
        string script = $"""
            set -e
            mount -t tmpfs -o mode=755 none {root}
            mkdir {root}/proc {root}/usr {root}/opt {root}/app {root}/etc {root}/dev
            mkdir -m 1777 {root}/tmp
            mount --bind /usr {root}/usr
            mount --bind /dev {root}/dev
            ln -s usr/lib {root}/lib
            ln -s usr/lib64 {root}/lib64
            cp -r {_runtime.Root} {root}/opt/net
            cp {folder}/{Program}.* {root}/app
            mount -t proc proc {root}/proc
            cd {root}
            exec chroot {root} "$@"
            """;
        return ScenarioProcess.Start(new ScenarioBuild($"/app/{Program}.dll")
        {
            Host = ["unshare", "--pid", "--fork", "--mount", "--propagation", "private", "--kill-child", "sh", "-c", script, "sh", "/opt/net/dotnet"],
        }, arguments);
    }

    public void Dispose()
    {
        _runtime.Dispose();
        _root.Dispose();
    }
}
