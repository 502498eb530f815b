using System.Diagnostics;
using System.Runtime.InteropServices;
using Async2.Analysis.Targets.Contract;

namespace Async2.Dump.Samples;

/// <summary>
/// The bundled sample, running until disposed. It also ends when this process ends for any reason: it reads
/// its standard input, which then closes.
/// </summary>
internal sealed class SampleProcess : IDisposable
{
    private static readonly TimeSpan ExitTimeout = TimeSpan.FromSeconds(5);
    private readonly Process _process;

    private SampleProcess(Process process) => _process = process;

    /// <summary>Process id.</summary>
    public int Id => _process.Id;

    /// <summary>Starts the sample and waits until everything in it waits.</summary>
    /// <param name="arguments">Words for the sample: <c>jam</c> adds a deadlock.</param>
    /// <exception cref="TargetException">It could not be started.</exception>
    public static SampleProcess Start(params string[] arguments)
    {
        string program = Path.Join(AppContext.BaseDirectory, "demo", "Demo.dll");
        if (!File.Exists(program))
            throw new TargetException($"the sample is missing: {program}", "install the tool again: dotnet tool update -g dotnet-async2");
        var sample = new SampleProcess(Process.Start(StartInfo([program, .. arguments]))!);
        if (sample._process.StandardOutput.ReadLine() == "ready")
            return sample;
        string reason = sample._process.StandardError.ReadToEnd().Trim();
        sample.Dispose();
        throw new TargetException("the sample did not start: " + reason, "check that the .NET 10 runtime is installed: dotnet --list-runtimes");
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _process.StandardInput.Close();
        if (!_process.WaitForExit(ExitTimeout))
            _process.Kill();
        _process.Dispose();
    }

    private static ProcessStartInfo StartInfo(string[] words)
    {
        var start = new ProcessStartInfo(Host(), words)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        // .NET 10 has runtime-async behind this switch; later runtimes ignore it.
        start.Environment["DOTNET_RuntimeAsync"] = "1";
        start.Environment["DOTNET_ROLL_FORWARD"] = "Major";
        return start;
    }

    // The host of the runtime that runs this tool: .../dotnet/shared/Microsoft.NETCore.App/10.0.12/ -> .../dotnet/dotnet
    private static string Host()
    {
        string root = Path.GetFullPath(Path.Join(RuntimeEnvironment.GetRuntimeDirectory(), "..", "..", ".."));
        string host = Path.Join(root, OperatingSystem.IsWindows() ? "dotnet.exe" : "dotnet");
        return File.Exists(host) ? host : "dotnet";
    }
}
