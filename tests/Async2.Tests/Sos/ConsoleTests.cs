using System.Text.Json;
using System.Text.RegularExpressions;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Sos;

/// <summary>
/// Consoles of real hosts print ASCII only: dotnet-dump leaves out every other character, SOS in lldb and WinDbg prints a question
/// mark. Nothing may get lost by that.
/// </summary>
[Trait("Category", "Integration")]
public sealed partial class ConsoleTests
{
    private static readonly SosHost[] Hosts = [new(), new() { Major = 8 }, new() { IsLldb = true }];

    [Fact]
    public void Different_names_that_are_not_ascii_stay_different()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Release, ["--only", "UnicodeNames"]);
        string[] methods = [.. Methods(ToolRun.Of($"{process.Pid}", "--all", "--format", "json").Output)];
        Assert.Contains(methods, method => method.Any(c => c > '\u007e'));
        foreach (SosHost host in Hosts)
        {
            string[] said = host.Run($"{process.Pid}", "dumpasync2", "dumpasync2 --json", "dumpasync2 --coalesce", "dumpasync2 --stats");
            Assert.All((string[])[said[1], said[3], said[4]], text => Assert.All(methods, method => Assert.Contains(NotAscii().Replace(method, Escape), text)));
            Assert.Equal(methods, Methods(said[2]));
            Assert.Matches(@"\n  -> waits for TaskCompletionSource<int>  0x[0-9a-f]+\n", said[1]);
            Assert.All(said, text => Assert.DoesNotContain('?', text));
        }
    }

    [Fact]
    public void Shortened_text_is_marked()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Release, ["--only", "Overloads,StringLocals"]);
        string[] said = new SosHost { Width = 70, InTerminal = true }.Run($"{process.Pid}", "dumpasync2", "dumpasync2 --fields");
        Assert.Contains("(...)", said[1]);
        Assert.DoesNotMatch(@"Async\(\) .*Overloads", said[1]);
        Assert.Contains("...", said[2]);
    }

    [Fact]
    public void Cycles_are_drawn_with_ASCII_in_hosts()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["cycle"]);
        foreach (SosHost host in Hosts)
        {
            string text = host.Run($"{process.Pid}", "dumpasync2 --deadlocks");
            Assert.Matches(@"\n\+- waits for [^\n]*back to the outermost frame below: a cycle\n\| ", text);
            Assert.Matches(@"\n\+> awaited by the innermost frame above", text);
        }
    }

    private static string Escape(Match match) => string.Concat(match.Value.Select(c => $"\\u{(int)c:x4}"));

    private static IEnumerable<string> Methods(string json) => JsonDocument.Parse(json).RootElement.GetProperty("stacks").EnumerateArray()
        .SelectMany(stack => stack.GetProperty("frames").EnumerateArray()).Select(frame => frame.GetProperty("method").GetString()!);

    [GeneratedRegex("[^ -~]+")]
    private static partial Regex NotAscii();
}
