using System.Diagnostics;
using System.Text;
using System.Text.RegularExpressions;

namespace Async2.Tests.Support.Programs;

/// <summary>A run of tests that never ends, with what watches over it: dumps/HungTests on Microsoft.Testing.Platform, or dumps/HungVsTests on VSTest. It says itself where its tests wait.</summary>
internal sealed class HungRun : IDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(1);

    private readonly Process _process;
    private readonly StringBuilder _output = new();
    private readonly StringBuilder _errors = new();

    /// <param name="tests">Names, with commas.</param>
    /// <param name="isDynamic">The extension is found by its manifest instead of being registered by code.</param>
    /// <param name="arguments">More of the command line.</param>
    public HungRun(string tests, bool isDynamic, params string[] arguments)
        : this(
            [Built("HungTests"), .. isDynamic ? (string[])["--enable-dynamic-extensions"] : [], .. arguments],
            [("HUNG", tests), ("HUNG_STATIC", isDynamic ? "0" : "1"), ("GITHUB_ACTIONS", "true")])
    {
    }

    private HungRun(IEnumerable<string> arguments, (string Name, string Value)[] environment, string folder = "")
    {
        var start = new ProcessStartInfo("dotnet", arguments) { RedirectStandardOutput = true, RedirectStandardError = true, WorkingDirectory = folder };
        foreach ((string name, string value) in environment)
            start.Environment[name] = value;
        _process = Process.Start(start)!;
        _process.OutputDataReceived += (_, e) => Add(_output, e.Data);
        _process.ErrorDataReceived += (_, e) => Add(_errors, e.Data);
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
    }

    /// <summary>A run by "dotnet test", which starts the program itself and keeps what it prints until it ends.</summary>
    /// <param name="tests">Names, with commas.</param>
    /// <param name="folder">Where it is started.</param>
    /// <param name="arguments">More of the command line.</param>
    public static HungRun ByDotnetTest(string tests, TemporaryFolder folder, params string[] arguments)
    {
        File.WriteAllText(folder.PathOf("global.json"), """{ "test": { "runner": "Microsoft.Testing.Platform" } }""");
        return new(
            ["test", "--root-directory", Path.GetDirectoryName(Built("HungTests"))!, "--test-modules", "HungTests.dll", "--results-directory", folder.Path, "--enable-dynamic-extensions", .. arguments],
            [("HUNG", tests), ("GITHUB_ACTIONS", "true"), ("ASYNC2_TOOL", ToolRun.Program)], folder.Path);
    }

    /// <summary>A run of VSTest with the data collector, as if Yama let only ancestors of a process read it.</summary>
    /// <param name="program">dumps/HungVsTests, or its twin for xunit.v3.</param>
    /// <param name="configuration">Of the collector.</param>
    /// <param name="folder">For settings, results and the truth.</param>
    /// <param name="isWithin">It runs in the test host itself.</param>
    public static HungRun OnVsTest(string program, string configuration, TemporaryFolder folder, bool isWithin = false)
    {
        File.WriteAllText(folder.PathOf("scope"), "1");
        string settings = folder.PathOf("hang.runsettings"), collector = Repository.PathOf("src", "Async2.Testing.DataCollector", "bin", "Release", "net8.0");
        File.WriteAllText(settings, Documented(isWithin).Replace("<HangTimeout>5m</HangTimeout>", configuration, StringComparison.Ordinal)
            .Replace("codebase=\"", $"codebase=\"{collector}/", StringComparison.Ordinal));
        return new(
            ["vstest", Built(program), "--Settings:" + settings, "--TestAdapterPath:" + collector, "--ResultsDirectory:" + folder.PathOf("results")],
            [("TRUTH", folder.PathOf("truth")), ("GITHUB_ACTIONS", "true"), ("ASYNC2_YAMA_SCOPE_FILE", folder.PathOf("scope"))]);
    }

    public string Output => Text(_output);

    public string Errors => Text(_errors);

    public bool HasEnded => _process.HasExited;

    /// <summary>The line at which a test waits, as it says itself.</summary>
    public int TruthOf(string test) => int.Parse(Regex.Match(Output, $@"^truth {test} (\d+)$", RegexOptions.Multiline).Groups[1].Value);

    /// <summary>Waits until its output has a text.</summary>
    public void WaitFor(string text, bool inErrors = false)
    {
        long start = Stopwatch.GetTimestamp();
        while (!(inErrors ? Errors : Output).Contains(text, StringComparison.Ordinal))
        {
            Assert.True(Stopwatch.GetElapsedTime(start) < Limit, $"it did not say '{text}':\n{Output}\n{Errors}");
            Thread.Sleep(50);
        }
    }

    /// <summary>Waits for its end.</summary>
    public int WaitForEnd()
    {
        Assert.True(_process.WaitForExit(Limit), Output);
        _process.WaitForExit();
        return _process.ExitCode;
    }

    public void Dispose()
    {
        if (!_process.HasExited)
            _process.Kill(entireProcessTree: true);
        _process.WaitForExit();
        _process.Dispose();
    }

    // As users have it from the page.
    private static string Documented(bool isWithin)
        => Regex.Matches(File.ReadAllText(Repository.PathOf("docs", "test-hangs.md")), "```xml\n(<RunSettings>.+?)```", RegexOptions.Singleline)
            .Select(match => match.Groups[1].Value).Single(text => text.Contains("<InProcDataCollector ", StringComparison.Ordinal) == isWithin);

    private static string Built(string program) => Repository.PathOf("dumps", program, "bin", "Release", "net10.0", program + ".dll");

    private static void Add(StringBuilder text, string? line)
    {
        lock (text)
            text.Append(line).Append('\n');
    }

    private static string Text(StringBuilder text)
    {
        lock (text)
            return text.ToString();
    }
}
