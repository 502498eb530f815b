using Async2.Analysis.Rendering.Text;
using Async2.Dump.Terminals;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Tool;

/// <summary>The tool in a terminal, which <c>script</c> pretends to be.</summary>
[Collection(ToolCollection.Name)]
public sealed class TerminalTests(RunningSample sample)
{
    private const string ClearLine = "\r\u001b[2K";

    [Fact]
    public void A_terminal_gets_colours_and_links()
    {
        string output = InTerminal($"$TOOL {sample.PidText}");
        Assert.Contains("\u001b[36mPaymentGateway.cs:11\u001b[0m", output);
        Assert.Matches("\u001b\\]8;;file:///[^\u001b]*/PaymentGateway\\.cs\u001b\\\\", output);
    }

    [Theory]
    [InlineData("NO_COLOR=1 $TOOL PID --quiet")]
    [InlineData("$TOOL PID --no-color --quiet")]
    [InlineData("TERM=dumb $TOOL PID -q")]
    public void Colours_can_be_turned_off(string line)
    {
        string output = InTerminal(line.Replace("PID", sample.PidText));
        // .NET's console switches the keypad mode of a terminal once; that is neither a colour nor ours.
        Assert.DoesNotContain('\u001b', output.Replace("\u001b[?1h\u001b=", ""));
        Assert.Contains("PaymentGateway.cs:11", output);
    }

    [Fact]
    public void Quiet_has_colours_and_no_progress()
    {
        string output = InTerminal($"$TOOL {sample.PidText} --quiet");
        Assert.Contains("\u001b[36m", output);
        Assert.DoesNotContain(ClearLine, output);
    }

    [Fact]
    public void Each_role_that_matters_looks_different()
    {
        string[] looks = [.. new[] { TextRole.Plain, TextRole.Dim, TextRole.Heading, TextRole.File, TextRole.State, TextRole.Wait, TextRole.Problem, TextRole.Error }
            .Select(role => Drawn(role))];
        Assert.Equal(looks.Length, looks.Distinct().Count());
    }

    [Theory]
    [InlineData(null, null, "file:///src/A%20b.cs")]
    [InlineData(null, "vscode", "vscode://file/src/A%20b.cs:7")]
    [InlineData("file", "vscode", "file:///src/A%20b.cs")]
    [InlineData("vscode", null, "vscode://file/src/A%20b.cs:7")]
    [InlineData("none", "vscode", null)]
    [InlineData("idea://open?file={path}&line={line}", null, "idea://open?file=/src/A%20b.cs&line=7")]
    [InlineData("x://\u001b{path}", null, "file:///src/A%20b.cs")]
    public void Links_are_those_that_the_user_wants(string? wanted, string? program, string? expected)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "paths of Linux");
        SourceLinks? links = SourceLinks.Of(name => name == SourceLinks.Variable ? wanted : program);
        Assert.Equal(expected, links?.Url("/src/A b.cs", 7));
        Assert.Null(links?.Url("A.cs", 7));
    }

    private static string Drawn(TextRole role)
    {
        using var writer = new StringWriter();
        new AnsiText(writer, new TextSurface(80), links: null).Write(role, "x");
        return writer.ToString();
    }

    private static string InTerminal(string line)
    {
        Assert.SkipUnless(File.Exists("/usr/bin/script"), "needs script(1) for a terminal");
        return ToolRun.Shell($"TERM=xterm-256color script -qec '{line.Replace("$TOOL", ToolRun.InShell)}' /dev/null").Output;
    }
}
