using System.Diagnostics;
using System.Globalization;
using System.Text;
using Async2.Tests.Support;

namespace Async2.Tests.Wine;

/// <summary>A scenario program that runs under Wine; it ends when its input does.</summary>
internal sealed class WineProgram : IDisposable
{
    private const int Tries = 3;

    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(2);

    private readonly Process _process;
    private readonly StringBuilder _errors = new();

    private WineProgram(ProcessStartInfo start)
    {
        _process = Process.Start(start)!;
        _process.ErrorDataReceived += (_, e) => _errors.AppendLine(e.Data);
        _process.BeginErrorReadLine();
    }

    /// <summary>Its id there.</summary>
    public string Pid { get; private set; } = "";

    /// <summary>What it says about itself.</summary>
    public Truth Truth { get; private set; } = Truth.Empty;

    /// <summary>Starts one, and waits until it says that all of it is suspended. One that Wine never brings so far is started again.</summary>
    /// <param name="assembly">The program, beside its executable.</param>
    /// <param name="arguments">Its options.</param>
    /// <param name="variables">Of the runtime.</param>
    public static WineProgram Start(string assembly, string[] arguments, params (string Name, string Value)[] variables)
    {
        ProcessStartInfo start = WineMachine.Start(Path.ChangeExtension(assembly, ".exe"), arguments);
        start.Environment["DOTNET_RuntimeAsync"] = "1";
        foreach ((string name, string value) in variables)
            start.Environment[name] = value;
        for (int left = Tries - 1; ; left--)
        {
            var program = new WineProgram(start);
            if (program.IsReady())
                return program;
            program.Dispose();
            Assert.True(left > 0, $"the scenario program did not get ready: {program._errors}");
        }
    }

    /// <summary>Asks it for a number; null if it does not answer.</summary>
    public double? Ask(string question)
    {
        _process.StandardInput.WriteLine(question);
        _process.StandardInput.Flush();
        return Line() is { } answer ? double.Parse(answer, CultureInfo.InvariantCulture) : null;
    }

    public void Dispose()
    {
        _process.StandardInput.Close();
        if (!_process.WaitForExit(TimeSpan.FromSeconds(20)))
            _process.Kill();
        _process.Dispose();
    }

    private bool IsReady()
    {
        if (Line() is not { } truth || Line() is not { } ready || !ready.StartsWith("ready ", StringComparison.Ordinal))
            return false;
        (Truth, Pid) = (Truth.Parse(truth), ready["ready ".Length..].Trim());
        return true;
    }

    private string? Line()
    {
        Task<string?> line = _process.StandardOutput.ReadLineAsync();
        return line.Wait(Limit) ? line.Result : null;
    }
}
