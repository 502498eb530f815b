using System.Text;
using Async2.Dump.Cli;
using Async2.Tests.Support;

namespace Async2.Tests.Tool;

public sealed class AnswerFileTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    [Fact]
    public void A_file_appears_whole_or_not_at_all()
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
    public void A_link_stays_a_link()
    {
        string file = _folder.PathOf("real.txt"), link = _folder.PathOf("link.txt");
        File.WriteAllText(file, "old");
        File.CreateSymbolicLink(link, file);
        AnswerFile.Write(link, Text("new"));
        Assert.Equal("new", File.ReadAllText(file));
        Assert.Equal(file, File.ResolveLinkTarget(link, false)!.FullName);
    }

    [Fact]
    public void A_device_stays_a_device()
    {
        AnswerFile.Check("/dev/null");
        AnswerFile.Write("/dev/null", Text("gone"));
        Assert.Equal("", File.ReadAllText("/dev/null"));
    }

    [Fact]
    public void What_cannot_be_written_is_said_before_any_work()
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
