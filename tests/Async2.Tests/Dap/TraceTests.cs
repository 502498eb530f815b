using System.Text.Json;
using Async2.Analysis.Query;
using Async2.Tests.Support;
using Async2.Tests.Support.Drawing;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Dap;

/// <summary>The name of a trace comes from a launch.json, and that from the author of the repository.</summary>
public sealed class TraceTests : IDisposable
{
    private static readonly StackView Shop = new SnapshotDrawing().Stack(1, "Task.Delay", "Shop.A()").Snapshot();

    private readonly TemporaryFolder _folder = new();

    [Fact]
    public void A_trace_has_every_message_from_the_first_one()
    {
        string trace = Traced("trace.log");
        foreach (string part in (string[])["<- {\"seq\":1,\"type\":\"request\",\"command\":\"initialize\"", "-> {\"seq\":1,\"type\":\"response\"", "\"event\":\"stopped\"", "\"command\":\"disconnect\""])
            Assert.Contains(part, trace, StringComparison.Ordinal);
    }

    [Fact]
    public void Only_its_owner_may_read_a_trace()
    {
        Traced("trace.log");
        Assert.True(IsPrivate);
    }

    [Fact]
    public void An_old_trace_is_overwritten_and_only_its_owner_can_read_it()
    {
        string old = Traced("trace.log") + new string('x', 100_000);
        File.WriteAllText(_folder.PathOf("trace.log"), old);
        if (!OperatingSystem.IsWindows())
            File.SetUnixFileMode(_folder.PathOf("trace.log"), (UnixFileMode)0b110_100_100);
        string trace = Traced("trace.log");
        Assert.DoesNotContain("xxx", trace, StringComparison.Ordinal);
        Assert.Single(trace.Split('\n'), line => line.StartsWith('#'));
        Assert.True(IsPrivate);
    }

    [Theory]
    [InlineData("text")]
    [InlineData("empty")]
    [InlineData("link")]
    [InlineData("link to a trace")]
    [InlineData("dangling link")]
    [InlineData("folder")]
    [InlineData("pipe")]
    public void An_existing_file_that_is_not_a_trace_is_not_changed(string what)
    {
        string path = _folder.PathOf("mine.log"), other = _folder.PathOf("other");
        Make(what, path, other);
        Assert.Contains("already exists and is not a trace", Refused(path), StringComparison.Ordinal);
        Assert.Equal(what == "text" ? "precious" : what == "empty" ? "" : null, File.Exists(path) && what is "text" or "empty" ? File.ReadAllText(path) : null);
        Assert.Equal(what is "link" ? "precious" : null, what is "link" ? File.ReadAllText(other) : null);
        Assert.False(what == "dangling link" && File.Exists(other));
    }

    [Theory]
    [InlineData(".bash_profile")]
    [InlineData("evil.desktop")]
    [InlineData("trace.txt")]
    [InlineData("trace.LOG")]
    [InlineData(".log")]
    [InlineData("")]
    public void A_name_that_another_program_might_run_is_rejected(string name)
    {
        Assert.Contains("set trace to a path that ends in .log", Refused(_folder.PathOf(name)), StringComparison.OrdinalIgnoreCase);
        Assert.Empty(Directory.EnumerateFileSystemEntries(_folder.Path));
    }

    public void Dispose() => _folder.Dispose();

    private bool IsPrivate => OperatingSystem.IsWindows()
        || File.GetUnixFileMode(_folder.PathOf("trace.log")) == (UnixFileMode.UserRead | UnixFileMode.UserWrite);

    private void Make(string what, string path, string other)
    {
        if (what is "text" or "empty")
            File.WriteAllText(path, what == "text" ? "precious" : "");
        else if (what == "folder")
            Directory.CreateDirectory(path);
        else if (what == "pipe")
            System.Diagnostics.Process.Start("mkfifo", path).WaitForExit();
        else
            File.CreateSymbolicLink(path, other);
        if (what == "link")
            File.WriteAllText(other, "precious");
        if (what == "link to a trace")
            File.WriteAllText(other, Traced("old.log"));
    }

    private string Traced(string name)
    {
        using (DapClient client = DapClient.Stopped(Shop, new { dumpPath = "x", trace = _folder.PathOf(name) }))
            client.Disconnect();
        return File.ReadAllText(_folder.PathOf(name));
    }

    // Before any target is touched.
    private static string Refused(string path)
    {
        bool isRead = false;
        using DapClient client = DapClient.Of((_, _, _) =>
        {
            isRead = true;
            return new DrawnTarget(Shop);
        });
        (string text, bool isForUser) = client.Fail("launch", JsonSerializer.SerializeToElement(new { dumpPath = "x", trace = path }));
        Assert.True(isForUser);
        Assert.False(isRead);
        return text;
    }
}
