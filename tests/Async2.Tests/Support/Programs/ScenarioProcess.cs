using System.Diagnostics;
using System.Globalization;
using System.Text;
using Async2.Analysis.Targets.Contract;

namespace Async2.Tests.Support.Programs;

/// <summary>
/// A running scenario program: started, waited for until everything in it is suspended, and ended when disposed. It records the
/// truth about its own stacks. On Linux a shell starts it and ends, so that it is nobody's child: .NET takes a child that a tracer stops
/// for one that ended.
/// </summary>
internal sealed class ScenarioProcess : IDisposable
{
    // Two containers of two tests run the same program under the same id of their own.
    private const string Mark = "ASYNC2_TEST_PROGRAM";

    /// <summary>
    /// A variable for who reads a program while it runs, in the process of the tests. A thread that compiles methods once more begins when all others rest, and loads types: then the data
    /// access library may be caught in a loop (<c>DacLoop</c>), and nothing but the end of the process helps.
    /// </summary>
    public static readonly (string Name, string Value) Untiered = ("DOTNET_TieredCompilation", "0");

    /// <summary>
    /// It collects when it asks for it, and not by itself: where the size of the processor's cache is not known, as on some virtual machines, the runtime
    /// collects after each 256 KiB.
    /// </summary>
    public static readonly (string Name, string Value) NotCollecting = ("DOTNET_GCgen0size", "0x10000000");

    private static readonly TimeSpan StartLimit = TimeSpan.FromMinutes(2);

    private readonly Process _shell;
    private readonly StringBuilder _errors = new();

    private readonly string _mark;

    private ScenarioProcess(Process shell, string mark)
    {
        _shell = shell;
        _mark = mark;
        _shell.ErrorDataReceived += (_, e) => _errors.AppendLine(e.Data);
        _shell.BeginErrorReadLine();
    }

    public int Pid { get; private set; }

    /// <summary>What the program says about itself.</summary>
    public Truth Truth { get; private set; } = Truth.Empty;

    /// <param name="build">Which of the builds.</param>
    /// <param name="arguments">Options of the program.</param>
    /// <param name="environment">Variables of the runtime, besides the one that switches runtime-async on.</param>
    public static ScenarioProcess Start(ScenarioBuild build, string[] arguments, params (string Name, string Value)[] environment)
    {
        ScenarioProcess process = StartYoung(build, arguments, environment);
        ThreadRest.WaitFor(process.Pid);
        return process;
    }

    /// <summary>The same, as soon as it says that it is ready: on a busy machine its threads may still be on the way to where they stay.</summary>
    public static ScenarioProcess StartYoung(ScenarioBuild build, string[] arguments, params (string Name, string Value)[] environment)
    {
        string[] words = OperatingSystem.IsWindows() ? [.. build.WindowsHost, .. arguments] : ["sh", "-c", "exec 3<&0; \"$@\" <&3 & exit 0", "sh", .. build.Host, build.Assembly, .. arguments];
        var start = new ProcessStartInfo(words[0], words[1..])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            UseShellExecute = false,
        };
        start.Environment["DOTNET_RuntimeAsync"] = "1";
        foreach ((string name, string value) in environment)
            start.Environment[name] = value;
        string mark = Guid.NewGuid().ToString("N");
        start.Environment[Mark] = mark;
        var process = new ScenarioProcess(Process.Start(start)!, $"{Mark}={mark}");
        try
        {
            process.WaitUntilReady();
            return process;
        }
        catch
        {
            process.Dispose();
            throw;
        }
    }

    /// <summary>Asks a program that answers with a number while it runs.</summary>
    public double Ask(string question) => double.Parse(AnswerTo(question), CultureInfo.InvariantCulture);

    /// <summary>The same with any answer.</summary>
    public string AnswerTo(string question)
    {
        _shell.StandardInput.WriteLine(question);
        _shell.StandardInput.Flush();
        string? answer;
        do
        {
            // What writes a dump of it says so in its output.
            answer = _shell.StandardOutput.ReadLine();
        }
        while (answer?.StartsWith("[createdump]", StringComparison.Ordinal) == true);
        return answer ?? throw new InvalidOperationException($"no answer: {_errors}");
    }

    /// <summary>Says something to a program that does not answer.</summary>
    public void Tell(string line)
    {
        _shell.StandardInput.WriteLine(line);
        _shell.StandardInput.Flush();
    }

    public void Dispose()
    {
        // The program ends by itself when its input does.
        _shell.StandardInput.Close();
        if (Pid != 0 && !WaitForEnd(TimeSpan.FromSeconds(5)))
            Kill(Pid);
        // One that did not get ready has not said its id.
        foreach (int pid in Pid == 0 && OperatingSystem.IsLinux() ? ProcessFacts.WithVariable(_mark) : [])
            Kill(pid);
        _shell.Dispose();
    }

    // It may have ended by now.
    private static void Kill(int pid)
    {
        if (OperatingSystem.IsLinux())
            ProcessFacts.Signal(pid, "KILL");
        else
            Process.GetProcessById(pid).Kill();
    }

    private bool WaitForEnd(TimeSpan limit)
    {
        long start = Stopwatch.GetTimestamp();
        while (!ProcessFacts.HasEnded(Pid))
        {
            if (Stopwatch.GetElapsedTime(start) > limit)
                return false;
            Thread.Sleep(10);
        }
        return true;
    }

    private void WaitUntilReady()
    {
        Task<string?> truth = _shell.StandardOutput.ReadLineAsync();
        if (!truth.Wait(StartLimit) || truth.Result is not { } line)
            throw new InvalidOperationException($"the scenario program did not get ready: {_errors}");
        Task<string?> ready = _shell.StandardOutput.ReadLineAsync();
        if (!ready.Wait(StartLimit) || ready.Result?.StartsWith("ready ", StringComparison.Ordinal) != true)
            throw new InvalidOperationException($"the scenario program did not say that it is ready: {_errors}");
        Pid = int.Parse(ready.Result.AsSpan("ready ".Length), NumberStyles.None, CultureInfo.InvariantCulture);
        Pid = ProcessFacts.SeenFromHere(Pid, _mark);
        Truth = Truth.Parse(line);
    }
}

/// <summary>One of the builds of the scenarios.</summary>
/// <param name="Assembly">Path of the program.</param>
internal sealed record ScenarioBuild(string Assembly)
{
    public static ScenarioBuild Release { get; } = Of("Scenarios", "Release");

    public static ScenarioBuild Debug { get; } = Of("Scenarios", "Debug");

    public static ScenarioBuild Classic { get; } = Of("Scenarios.Classic", "Release");

    public static ScenarioBuild ClassicDebug { get; } = Of("Scenarios.Classic", "Debug");

    /// <summary>Threads, cycles and other situations (dumps/README.md).</summary>
    public static ScenarioBuild Situations { get; } = Of("Situations", "Release");

    public static ScenarioBuild SituationsClassic { get; } = Of("Situations.Classic", "Release");

    /// <summary>Async methods of Visual Basic.</summary>
    public static ScenarioBuild VisualBasic { get; } = Of("Languages.VisualBasic", "Release");

    /// <summary>Tasks and asyncs of F#.</summary>
    public static ScenarioBuild FSharp { get; } = Of("Languages.FSharp", "Release");

    /// <summary>Scenarios.Classic with an older runtime of its own, <c>net8.0</c>.</summary>
    public static ScenarioBuild ClassicOn(string framework) => WithRuntime("Scenarios.Classic", framework);

    /// <summary>Situations.Classic with an older runtime of its own.</summary>
    public static ScenarioBuild SituationsClassicOn(string framework) => WithRuntime("Situations.Classic", framework);

    /// <summary>A web server and its dependencies (dumps/README.md).</summary>
    public static ScenarioBuild Server { get; } = Of("Server", "Release");

    public static ScenarioBuild ServerClassic { get; } = Of("Server.Classic", "Release");

    /// <summary>The web shop of the samples, which sends itself requests.</summary>
    public static ScenarioBuild Web { get; } = new(Repository.PathOf("samples", "Web", "bin", "Release", "net10.0", "Web.dll"));

    public static ScenarioBuild WebClassic { get; } = new(Repository.PathOf("samples", "Web.Classic", "bin", "Release", "net10.0", "Web.Classic.dll"));

    /// <summary>Objects in the shape of .NET 11 (dumps/README.md).</summary>
    public static ScenarioBuild Net11 { get; } = Of("Net11Fixture", "Release");

    /// <summary>Frames in the structures of the async2 experiment (dumps/README.md).</summary>
    public static ScenarioBuild Tasklets { get; } = Of("TaskletFixture", "Release");

    /// <summary>Tasks as the async2 experiment's JIT variant made them.</summary>
    public static ScenarioBuild Jit { get; } = Of("JitFixture", "Release");

    /// <summary>What runs the program: another runtime, or another user.</summary>
    public IReadOnlyList<string> Host { get; init; } = ["dotnet"];

    /// <summary>The same on Windows: a program has an executable of its own, and needs no other one.</summary>
    public IReadOnlyList<string> WindowsHost => Path.ChangeExtension(Assembly, ".exe") is var program && File.Exists(program) ? [program] : ["dotnet", Assembly];

    /// <summary>How a dump of it is read: its own runtime is not installed on this machine.</summary>
    public TargetOptions ForDump => Host.Count == 0 ? new() { DacPath = Path.Join(Path.GetDirectoryName(Assembly), "libmscordaccore.so") } : new();

    private static ScenarioBuild WithRuntime(string project, string framework)
        => new(Repository.PathOf("dumps", project, "bin", "Release", framework, project)) { Host = [] };

    private static ScenarioBuild Of(string project, string configuration)
        => new(Repository.PathOf("dumps", project, "bin", configuration, "net10.0", project + ".dll"));
}
