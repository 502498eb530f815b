using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Lldb;

/// <summary>How dumpasync2 in lldb finds the tool, and what it does with one that is slow, old or broken.</summary>
[Collection(DumpCollection.Name)]
[Trait("Category", "Integration")]
public sealed class LldbToolTests(ScenarioDump dump) : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    /// <summary>As Ctrl-C does: the tool must end, and lldb must not.</summary>
    [Theory]
    [InlineData(":", "error: interrupted\n")]
    [InlineData("trap 'echo what; echo is; echo known; exit 130' INT", "what\nis\nknown\nwarning: interrupted: this is what was found until then\n")]
    [InlineData("trap '' INT", "error: interrupted\n")]
    public void Ctrl_c_returns_to_lldb(string trap, string expected)
    {
        string started = _folder.PathOf("started");
        using LldbRun run = Start($"{trap}\necho $$ > '{started}.new'; mv '{started}.new' '{started}'; sleep 300 & wait");
        run.Type("dumpasync2");
        ProcessFacts.WaitUntil(() => File.Exists(started), "the tool starts");
        int tool = int.Parse(File.ReadAllText(started).Trim());
        ProcessFacts.Signal(run.Pid, "INT");
        ProcessFacts.WaitUntil(() => ProcessFacts.Status(tool, "State") is null or ['Z', ..], "the tool ends");
        run.Type("script print(6 * 7)");
        string[] answers = run.Answers();
        // lldb adds a word of its own.
        Assert.Equal(expected, answers[1].Replace("\n... Interrupted.\n", "", StringComparison.Ordinal));
        Assert.Equal("42\n", answers[2]);
    }

    [Theory]
    [InlineData("echo \"error: Unrecognized command or argument '--width=80'.\" >&2; exit 2", "Unrecognized command")]
    [InlineData("exit 7", "ended with exit code 7 and said nothing")]
    [InlineData("kill -SEGV $$", "ended with exit code -11 and said nothing")]
    [InlineData("echo 'error: no luck' >&2; echo 'fix: none' >&2; exit 3", "error: no luck\nfix: none\n")]
    [InlineData("cat", "")]
    public void The_output_of_a_broken_tool_is_an_error_in_lldb(string work, string expected)
    {
        using LldbRun run = Start(work);
        run.Type("dumpasync2");
        string answer = run.Answers()[1];
        if (expected.Length == 0)
        {
            Assert.Equal("", answer);
            return;
        }
        Assert.StartsWith("error: ", answer, StringComparison.Ordinal);
        Assert.Contains(expected, answer, StringComparison.Ordinal);
    }

    [Fact]
    public void A_configured_tool_that_is_missing_is_named()
    {
        using LldbRun run = LldbRun.Start(LldbRun.Script, ("DOTNET_ASYNC2", "/nowhere/dotnet-async2"));
        run.Type($"target create --core \"{dump.Path}\"");
        run.Type("dumpasync2");
        Assert.Equal("error: there is no file '/nowhere/dotnet-async2' (environment variable DOTNET_ASYNC2)\n", run.Answers()[1]);
    }

    [Fact]
    public void Without_a_tool_it_says_how_to_install_one()
    {
        string lone = _folder.PathOf("lone");
        Directory.CreateDirectory(lone);
        foreach (string file in Directory.EnumerateFiles(Path.GetDirectoryName(LldbRun.Script)!, "*.py"))
            File.Copy(file, Path.Join(lone, Path.GetFileName(file)));
        using LldbRun run = LldbRun.Start(Path.Join(lone, "dumpasync2.py"), ("PATH", "/usr/bin:/bin"), ("HOME", _folder.Path));
        run.Type($"target create --core \"{dump.Path}\"");
        run.Type("dumpasync2");
        Assert.Equal(
            "error: dotnet-async2 was not found: install it with 'dotnet tool install --global dotnet-async2', or set the environment variable DOTNET_ASYNC2 to its path before lldb starts\n",
            run.Answers()[1]);
    }

    public void Dispose() => _folder.Dispose();

    private LldbRun Start(string work)
    {
        string tool = _folder.PathOf("tool");
        File.WriteAllText(tool, "#!/bin/sh\n" + work + "\n");
        Assert.Equal(0, ToolRun.Shell($"chmod 700 '{tool}'").ExitCode);
        LldbRun run = LldbRun.Start(LldbRun.Script, ("DOTNET_ASYNC2", tool));
        run.Type($"target create --core \"{dump.Path}\"");
        return run;
    }
}
