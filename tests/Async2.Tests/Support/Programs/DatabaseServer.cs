using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

namespace Async2.Tests.Support.Programs;

/// <summary>
/// A database of the test's own, in a folder of its own and on loopback or a Unix socket only, ended when disposed. PostgreSQL does not
/// run as root, so root starts it as the user that Debian's package has for it.
/// </summary>
internal sealed class DatabaseServer : IDisposable
{
    private static readonly TimeSpan StartLimit = TimeSpan.FromMinutes(2);

    private readonly TemporaryFolder _folder = new();
    private Process? _process;

    private DatabaseServer()
    {
    }

    /// <summary>How a client reaches it.</summary>
    public string Where { get; private set; } = "";

    public static DatabaseServer StartPostgres()
    {
        SkipUnless(Directory.Exists("/usr/lib/postgresql"), "PostgreSQL is not installed: apt-get install postgresql");
        string programs = Directory.GetDirectories("/usr/lib/postgresql").Order(StringComparer.Ordinal).Last() + "/bin/";
        return Started(server =>
        {
            string data = server._folder.PathOf("data");
            if (ProcessFacts.IsRoot)
                Run("chown", "postgres", server._folder.Path);
            Run([.. AsOwner, programs + "initdb", "-D", data, "-A", "trust", "-U", "shop", "--no-sync"]);
            server._process = Process.Start(Program([.. AsOwner, programs + "postgres", "-D", data, "-k", server._folder.Path, "-c", "listen_addresses=", "-F"]))!;
            server.Where = $"Host={server._folder.Path};Username=shop;Database=postgres";
            return () => File.Exists(server._folder.PathOf("data/postmaster.pid")) && File.ReadAllText(server._folder.PathOf("data/postmaster.pid")).Contains("ready", StringComparison.Ordinal);
        });
    }

    public static DatabaseServer StartRedis()
    {
        SkipUnless(File.Exists("/usr/bin/redis-server"), "Redis is not installed: apt-get install redis-server");
        return Started(server =>
        {
            int port = FreePort();
            server._process = Process.Start(Program("redis-server", "--bind", "127.0.0.1", "--port", $"{port}", "--save", "", "--dir", server._folder.Path))!;
            server.Where = $"127.0.0.1:{port}";
            return () => Answers(port);
        });
    }

    public void Dispose()
    {
        if (_process is { } process)
        {
            // The one that runuser started, too.
            foreach (int child in ProcessFacts.Children(process.Id))
                Process.GetProcessById(child).Kill();
            process.Kill();
            process.WaitForExit();
            process.Dispose();
        }
        _folder.Dispose();
    }

    // In CI all is there, and nothing is left out.
    private static void SkipUnless(bool isInstalled, string why)
    {
        if (Environment.GetEnvironmentVariable("ASYNC2_REQUIRE_ALL") is null)
            Assert.SkipUnless(isInstalled, why);
    }

    private static string[] AsOwner => ProcessFacts.IsRoot ? ["runuser", "-u", "postgres", "--"] : [];

    private static DatabaseServer Started(Func<DatabaseServer, Func<bool>> start)
    {
        var server = new DatabaseServer();
        try
        {
            Func<bool> isReady = start(server);
            long begin = Stopwatch.GetTimestamp();
            while (!isReady())
            {
                if (server._process is { HasExited: true } || Stopwatch.GetElapsedTime(begin) > StartLimit)
                    throw new InvalidOperationException("the database did not start");
                Thread.Sleep(50);
            }
            return server;
        }
        catch
        {
            server.Dispose();
            throw;
        }
    }

    private static void Run(params string[] command)
    {
        using Process process = Process.Start(Program(command))!;
        process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        Assert.True(process.ExitCode == 0, string.Join(' ', command));
    }

    // What it says is thrown away by a shell: a full pipe would stop it.
    private static ProcessStartInfo Program(params string[] command)
        => new("sh", ["-c", "exec \"$@\" > /dev/null 2>&1", "sh", .. command]) { RedirectStandardOutput = true, WorkingDirectory = "/" };

    private static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    private static bool Answers(int port)
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            socket.Connect(IPAddress.Loopback, port);
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }
}
