using System.Diagnostics;
using System.Text.RegularExpressions;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Lldb;

/// <summary>The real lldb, typed into as a user does, with the command as it travels with the tool.</summary>
internal sealed partial class LldbRun : IDisposable
{
    private const string Program = "/usr/bin/lldb-19";

    private const string Missing = "lldb is not installed: sudo apt-get install lldb-19 python3-lldb-19";

    // Commands that Start types.
    private const int Opening = 2;

    private readonly Process _lldb;
    private readonly Task<string> _output;

    private LldbRun(Process lldb) => (_lldb, _output) = (lldb, lldb.StandardOutput.ReadToEndAsync());

    /// <summary>The script in the folder of the tool's own build.</summary>
    public static string Script { get; } = Path.Join(AppContext.BaseDirectory, "lldb", "dumpasync2.py");

    public int Pid => _lldb.Id;

    /// <summary>Starts it and brings the command.</summary>
    /// <param name="script">The script.</param>
    /// <param name="environment">Variables to set.</param>
    public static LldbRun Start(string script, params (string Name, string Value)[] environment)
    {
        Assert.SkipUnless(File.Exists(Program), Missing);
        // One stream, so that errors stand behind the command that they are about.
        var start = new ProcessStartInfo("/bin/sh", ["-c", $"exec {Program} --no-lldbinit --no-use-colors 2>&1"])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        };
        start.Environment["PYTHONDONTWRITEBYTECODE"] = "1";
        foreach ((string name, string value) in environment)
            start.Environment[name] = value;
        var run = new LldbRun(Process.Start(start)!);
        // Else it says of events whenever it likes.
        run.Type(SetAsync(false));
        run.Type($"command script import \"{script}\"");
        return run;
    }

    /// <summary>The command that has it wait for what it has begun, or not: then a process can run while one types.</summary>
    public static string SetAsync(bool isAsync) => $"script lldb.debugger.SetAsync({isAsync})";

    /// <summary>The command that waits until a process is in a state, <c>Stopped</c>; for some seconds, and it says whether it is.</summary>
    public static string Await(string state) => "script import time; p = lldb.debugger.GetSelectedTarget().GetProcess(); "
        + $"[time.sleep(0.05) for _ in range(200) if p.GetState() != lldb.eState{state}]; print(p.GetState() == lldb.eState{state})";

    /// <summary>What it answers to each of some commands.</summary>
    public static string[] Of(params string[] commands)
    {
        using LldbRun run = Start(Script);
        foreach (string command in commands)
            run.Type(command);
        return run.Answers();
    }

    /// <summary>Runs it in a terminal of a certain width, without anybody who types.</summary>
    public static ToolRun InTerminal(int columns, params string[] commands)
    {
        Assert.SkipUnless(File.Exists(Program), Missing);
        IEnumerable<string> words = commands.Prepend($"command script import \"{Script}\"").Select(command => $"-o '{command}'");
        string lldb = $"stty cols {columns}; exec {Program} --no-lldbinit --no-use-colors -b {string.Join(' ', words)}";
        return ToolRun.Shell($"export PYTHONDONTWRITEBYTECODE=1 TERM=xterm; script -qec \"{lldb.Replace("\"", "\\\"", StringComparison.Ordinal)}\" /dev/null < /dev/null");
    }

    public void Type(string command)
    {
        _lldb.StandardInput.WriteLine(command);
        _lldb.StandardInput.Flush();
    }

    /// <summary>Ends it; the answer to each command, without those that brought the script, which have to be silent.</summary>
    public string[] Answers()
    {
        _lldb.StandardInput.Close();
        if (!_lldb.WaitForExit(TimeSpan.FromMinutes(1)))
        {
            _lldb.Kill(entireProcessTree: true);
            Assert.Fail("lldb did not end; it said: " + _output.Result);
        }
        string[] answers = [.. Prompt().Split(_output.Result).Skip(1).Select(answer => answer[(answer.IndexOf('\n', StringComparison.Ordinal) + 1)..])];
        Assert.Equal(["", ""], answers[..Opening]);
        return answers[Opening..];
    }

    public void Dispose()
    {
        if (!_lldb.HasExited)
            _lldb.Kill(entireProcessTree: true);
        _lldb.Dispose();
    }

    [GeneratedRegex("^[(]lldb[)] ", RegexOptions.Multiline)]
    private static partial Regex Prompt();
}
