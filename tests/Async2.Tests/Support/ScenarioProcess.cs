using System.Diagnostics;
using System.Text;

namespace Async2.Tests.Support;

/// <summary>
/// A running scenario program: started, waited for until everything in it is suspended, and ended when disposed. It records the
/// truth about its own stacks.
/// </summary>
internal sealed class ScenarioProcess : IDisposable
{
    private static readonly TimeSpan StartLimit = TimeSpan.FromMinutes(2);

    private readonly Process _process;
    private readonly StringBuilder _errors = new();

    private ScenarioProcess(Process process)
    {
        _process = process;
        _process.ErrorDataReceived += (_, e) => _errors.AppendLine(e.Data);
        _process.BeginErrorReadLine();
    }

    public int Pid => _process.Id;

    /// <summary>What the program says about itself.</summary>
    public Truth Truth { get; private set; } = Truth.Empty;

    /// <param name="build">Which of the builds.</param>
    /// <param name="arguments">Options of the program.</param>
    /// <param name="environment">Variables of the runtime, besides the one that switches runtime-async on.</param>
    public static ScenarioProcess Start(ScenarioBuild build, string[] arguments, params (string Name, string Value)[] environment)
    {
        var start = new ProcessStartInfo("dotnet")
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            UseShellExecute = false,
        };
        start.ArgumentList.Add(build.Assembly);
        foreach (string argument in arguments)
            start.ArgumentList.Add(argument);
        start.Environment["DOTNET_RuntimeAsync"] = "1";
        foreach ((string name, string value) in environment)
            start.Environment[name] = value;
        var process = new ScenarioProcess(Process.Start(start)!);
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

    public void Dispose()
    {
        // The program ends by itself when its input does.
        _process.StandardInput.Close();
        if (!_process.WaitForExit(TimeSpan.FromSeconds(5)))
            _process.Kill();
        _process.WaitForExit();
        _process.Dispose();
    }

    private void WaitUntilReady()
    {
        Task<string?> truth = _process.StandardOutput.ReadLineAsync();
        if (!truth.Wait(StartLimit) || truth.Result is not { } line)
            throw new InvalidOperationException($"the scenario program did not get ready: {_errors}");
        Task<string?> ready = _process.StandardOutput.ReadLineAsync();
        if (!ready.Wait(StartLimit) || ready.Result?.StartsWith("ready ", StringComparison.Ordinal) != true)
            throw new InvalidOperationException($"the scenario program did not say that it is ready: {_errors}");
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

    private static ScenarioBuild Of(string project, string configuration)
        => new(Repository.PathOf("dumps", project, "bin", configuration, "net10.0", project + ".dll"));
}
