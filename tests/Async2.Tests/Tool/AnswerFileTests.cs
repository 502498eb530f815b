using System.Net.Sockets;
using System.Text;
using Async2.Dump.Cli;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Tool;

[System.Runtime.Versioning.UnsupportedOSPlatform("windows")]
public sealed class AnswerFileTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    [Fact]
    public void A_file_is_complete_or_absent()
    {
        string file = _folder.PathOf("a.txt");
        File.WriteAllText(file, "old");
        Assert.Throws<InvalidOperationException>(() => AnswerFile.Write(file, stream =>
        {
            stream.Write("half"u8);
            throw new InvalidOperationException();
        }));
        Assert.Equal("old", File.ReadAllText(file));
        AnswerFile.Write(file, Text("new"));
        Assert.Equal("new", File.ReadAllText(file));
        Assert.Equal([file], Directory.GetFiles(Path.GetDirectoryName(file)!));
    }

    [Fact]
    public void A_link_is_not_replaced()
    {
        string file = _folder.PathOf("real.txt"), link = _folder.PathOf("link.txt");
        File.WriteAllText(file, "old");
        File.CreateSymbolicLink(link, file);
        AnswerFile.Write(link, Text("new"));
        Assert.Equal("new", File.ReadAllText(file));
        Assert.Equal(file, File.ResolveLinkTarget(link, false)!.FullName);
    }

    [Fact]
    public void A_device_is_not_replaced()
    {
        AnswerFile.Check("/dev/null");
        AnswerFile.Write("/dev/null", Text("gone"));
        Assert.Equal("", File.ReadAllText("/dev/null"));
    }

    [Fact]
    public void A_full_device_is_an_error_and_is_not_replaced()
    {
        Assert.Throws<IOException>(() => AnswerFile.Write("/dev/full", Text("lost")));
        Assert.Equal(OutputKind.Stream, OutputPath.Of("/dev/full").Kind);
    }

    [Fact]
    public void A_file_in_shared_memory_is_a_file()
    {
        string file = $"/dev/shm/async2-{Guid.NewGuid():N}.txt";
        try
        {
            File.WriteAllText(file, "older and longer");
            AnswerFile.Write(file, Text("new"));
            Assert.Equal("new", File.ReadAllText(file));
        }
        finally
        {
            File.Delete(file);
        }
    }

    [Fact]
    public void A_relative_link_is_resolved()
    {
        string file = _folder.PathOf("real.txt"), link = _folder.PathOf("link.txt");
        File.CreateSymbolicLink(link, "real.txt");
        Assert.Equal(new OutputPath(file, OutputKind.New), OutputPath.Of(link));
        // Nothing else goes on in it: the process of the tests is big, and takes long when others work.
        using var program = new IdleProgram();
        using ScenarioProcess process = ScenarioProcess.Start(program.Build, []);
        ToolRun run = ToolRun.Shell($"cd {Path.GetDirectoryName(file)} && $TOOL {process.Pid} -o link.txt");
        Assert.True(run.ExitCode is 0 or 4, run.Error);
        Assert.Contains("stack", File.ReadAllText(file));
        Assert.Equal("real.txt", new FileInfo(link).LinkTarget);
    }

    [Fact]
    public void Cyclic_links_are_reported()
    {
        string one = _folder.PathOf("one"), two = _folder.PathOf("two");
        File.CreateSymbolicLink(one, two);
        File.CreateSymbolicLink(two, one);
        Assert.Throws<UsageException>(() => AnswerFile.Check(one));
    }

    [Fact]
    public void A_file_keeps_its_mode_and_its_hard_links()
    {
        const UnixFileMode mode = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead;
        string file = _folder.PathOf("a.txt"), other = _folder.PathOf("b.txt");
        File.WriteAllText(file, "old and longer than the new");
        File.SetUnixFileMode(file, mode);
        AnswerFile.Write(file, Text("new"), isPrivate: true);
        Assert.Equal(mode, File.GetUnixFileMode(file));
        ToolRun.Shell($"ln {file} {other}");
        AnswerFile.Write(other, Text("newer"));
        Assert.Equal(("newer", "newer", mode), (File.ReadAllText(file), File.ReadAllText(other), File.GetUnixFileMode(file)));
        Assert.Equal(2, Directory.GetFiles(Path.GetDirectoryName(file)!).Length);
    }

    [Fact]
    public void A_file_with_data_of_the_target_is_readable_by_its_owner_only()
    {
        string file = _folder.PathOf("locals.txt");
        AnswerFile.Write(file, stream =>
        {
            Assert.All(Directory.GetFiles(Path.GetDirectoryName(file)!), draft => Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(draft)));
            stream.Write("x"u8);
        }, isPrivate: true);
        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(file));
    }

    [Fact]
    public void A_pipe_is_written_to_and_not_replaced()
    {
        string pipe = _folder.PathOf("pipe");
        using var program = new IdleProgram();
        using ScenarioProcess process = ScenarioProcess.Start(program.Build, []);
        ToolRun run = ToolRun.Shell($"mkfifo {pipe}; (cat {pipe} & $TOOL {process.Pid} -o {pipe}; wait); test -p {pipe}");
        Assert.Equal(0, run.ExitCode);
        Assert.Contains("stack", run.Output);
    }

    [Fact]
    public void A_socket_is_rejected()
    {
        string path = _folder.PathOf("socket");
        using var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        socket.Bind(new UnixDomainSocketEndPoint(path));
        Assert.Throws<UsageException>(() => AnswerFile.Check(path));
    }

    [Fact]
    public void An_unwritable_path_is_reported_before_any_work()
    {
        Assert.Throws<UsageException>(() => AnswerFile.Check(Path.GetDirectoryName(_folder.PathOf("x"))));
        Assert.Throws<UsageException>(() => AnswerFile.Check(_folder.PathOf("no/such/file")));
        Assert.Throws<UsageException>(() => AnswerFile.Check(""));
        AnswerFile.Check(_folder.PathOf("new.txt"));
        AnswerFile.Check(null);
    }

    public void Dispose() => _folder.Dispose();

    private static Action<Stream> Text(string text) => stream => stream.Write(Encoding.UTF8.GetBytes(text));
}
