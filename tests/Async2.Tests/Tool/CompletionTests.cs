using System.Diagnostics;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Tool;

/// <summary>What shells complete, asked in the shells themselves, and the manual page.</summary>
public sealed class CompletionTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    /// <summary>What is typed, and what it becomes.</summary>
    public static TheoryData<string, string> Lines => new()
    {
        { "dotnet-async2 analy", "analyze" },
        { "dotnet-async2 1 --findings", "--findings-only" },
        { "dotnet-async2 1 --format specd", "" },
        { "dotnet-async2 1 --format spee", "speedscope" },
        { "dotnet-async2 check 1 --fail-on starv", "starvation" },
        { "dotnet-async2 dump coll", "collect" },
        { "dotnet-async2 completion power", "powershell" },
    };

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("dotnet-async2 1 --format=spee", "--format=speedscope\n")]
    [InlineData("dotnet-async2 1 --method \"a b", "")]
    [InlineData("dotnet-async2 1 --limit 5 --state awai", "awaiting\n")]
    [InlineData("dotnet-async2 layout ", "show\nverify\n")]
    [InlineData("dotnet-async2 nonsense --x", "")]
    public void The_tool_knows_what_can_come_next(string line, string expected)
    {
        ToolRun run = ToolRun.Of($"[suggest:{line.Length}]", line);
        Assert.Equal((0, expected, ""), (run.ExitCode, run.Output, run.Error));
    }

    [Theory]
    [MemberData(nameof(Lines))]
    public void In_bash(string line, string expected)
        => Assert.Equal(expected, In("bash", "eval \"$(dotnet-async2 completion bash)\"; COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDS=($1) COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _dotnet_async2 dotnet-async2; echo \"${COMPREPLY[*]}\"", line));

    [Fact]
    public void In_bash_a_value_behind_an_equals_sign_is_a_word_of_its_own()
        => Assert.Equal("speedscope", In("bash", "eval \"$(dotnet-async2 completion bash)\"; COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDS=(dotnet-async2 1 --format = spee) COMP_CWORD=4; _dotnet_async2 dotnet-async2; echo \"${COMPREPLY[*]}\"", "dotnet-async2 1 --format=spee"));

    [Theory]
    [MemberData(nameof(Lines))]
    public void In_fish(string line, string expected) => Assert.Equal(expected, In("fish", "dotnet-async2 completion fish | source; complete -C $argv[1]", line));

    // zsh completes only where a person types: a terminal of its own, and the tabulator.
    [Theory]
    [MemberData(nameof(Lines))]
    public void In_zsh(string line, string expected)
    {
        if (expected.Length == 0)
            return;
        string script = """
            zmodload zsh/zpty
            zpty z zsh -f -i
            zpty -w z "PS1=; bindkey -e; autoload -U compinit; compinit -u -D; source <(dotnet-async2 completion zsh); echo REA''DY"
            zpty -r z out '*READY*'
            zpty -w -n z "$1"$'\t'
            zpty -r z out "*$2*"
            zpty -w -n z $'\x01echo "E""ND: \x05"\r'
            zpty -r z out $'*END: *\n*'
            print -r -- ${${out##*END: }%%[[:space:]]#}
            """;
        Assert.EndsWith(expected, In("zsh", script, line, expected).TrimEnd(), StringComparison.Ordinal);
    }

    // One shell for all of them, as it takes a second to start; with the settings that make it strict.
    [Fact]
    public void In_powershell()
    {
        string shell = Repository.PathOf("artifacts", "powershell", "pwsh");
        shell = File.Exists(shell) ? shell : "/usr/bin/pwsh";
        Assert.SkipUnless(File.Exists(shell), "needs PowerShell: dotnet tool install PowerShell --version 7.6.9 --tool-path artifacts/powershell");
        string quoted = Directory.CreateDirectory(_folder.PathOf("a b")).FullName + "/dotnet-async2", dump = _folder.PathOf("shop.core");
        (string Line, string Expected)[] lines =
        [
            .. Lines.Select(row => row.Data), ("dotnet-async2 1 --format=spee", "--format=speedscope"), ("dotnet-async2 an", "analyze"), ($"& '{quoted}' analy", "analyze"),
            ("'x' | dotnet-async2 check 1 --fail-on context-d", "context-deadlock"), ($"dotnet-async2 {dump[..^3]}", dump),
        ];
        WriteTool(_folder.PathOf("dotnet-async2"));
        WriteTool(quoted);
        string script = _folder.PathOf("complete.ps1");
        File.WriteAllText(dump, "");
        File.WriteAllText(script, """
            Set-StrictMode -Version Latest
            $ErrorActionPreference = 'Stop'
            $PSNativeCommandUseErrorActionPreference = $true
            dotnet-async2 completion powershell | Out-String | Invoke-Expression
            foreach ($line in $args) { ((TabExpansion2 -inputScript $line -cursorColumn $line.Length).CompletionMatches | ForEach-Object CompletionText) -join ' ' }
            """);
        ProcessStartInfo start = WithTool(ToolRun.StartInfo(shell, ["-NoProfile", "-NonInteractive", "-File", script, .. lines.Select(line => line.Line)]));
        (start.Environment["POWERSHELL_TELEMETRY_OPTOUT"], start.Environment["HOME"]) = ("1", _folder.Path);
        ToolRun run = ToolRun.Finish(Process.Start(start)!);
        Assert.Equal("", run.Error);
        Assert.Equal(lines.Select(line => line.Expected), run.Output.TrimEnd('\n').Split('\n').Select(line => line.TrimEnd()));
    }

    [Fact]
    public void Other_shells_are_refused() => Assert.Equal(2, ToolRun.Of("completion", "cmd").ExitCode);

    [Fact]
    public void The_manual_has_all_commands_and_options_and_no_warning()
    {
        string page = ToolRun.Of("man").Output, file = _folder.PathOf("dotnet-async2.1");
        File.WriteAllText(file, page);
        foreach (string word in (string[])["--format", "--older-than", "--otlp", "--fail-on", "dump collect", "layout verify", "EXIT STATUS", "ASYNC2_LINKS"])
            Assert.Contains(word.Replace("-", "\\-", StringComparison.Ordinal), page, StringComparison.Ordinal);
        Assert.SkipUnless(File.Exists("/usr/bin/groff"), "needs groff");
        ToolRun run = ToolRun.Finish(Process.Start(ToolRun.StartInfo("groff", ["-man", "-ww", "-Tutf8", "-P-cbou", file]))!);
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.Contains("COMMANDS", run.Output, StringComparison.Ordinal);
    }

    private string In(string shell, string script, string line, params string[] more)
    {
        Assert.SkipUnless(File.Exists("/usr/bin/" + shell), $"needs {shell}");
        WriteTool(_folder.PathOf("dotnet-async2"));
        // Without anybody's settings. The first word behind the script is the name of the shell, but in fish.
        string[] begin = shell switch { "fish" => ["--no-config", "-c", script], "zsh" => ["-f", "-c", script, shell], _ => ["--norc", "-c", script, shell] };
        return ToolRun.Finish(Process.Start(WithTool(ToolRun.StartInfo(shell, [.. begin, line, .. more])))!).Output.Trim();
    }

    private ProcessStartInfo WithTool(ProcessStartInfo start)
    {
        start.Environment["PATH"] = $"{_folder.Path}:{Environment.GetEnvironmentVariable("PATH")}";
        return start;
    }

    private static void WriteTool(string file)
    {
        File.WriteAllText(file, $"#!/bin/sh\nexec {ToolRun.InShell} \"$@\"\n");
        if (!OperatingSystem.IsWindows())
            File.SetUnixFileMode(file, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
    }
}
