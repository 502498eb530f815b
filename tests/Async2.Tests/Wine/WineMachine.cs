using System.Diagnostics;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Wine;

/// <summary>The Windows machine that scripts/windows.mjs has prepared: what its programs are started with, and how files of ours are called there.</summary>
internal static class WineMachine
{
    // Wine says so when a program or a thread of it is lost to it. Before a thread has an id, which is when a program starts, no number and colon stand before it.
    private const string Lost = "err:virtual:";
    private const string TooLong = "could not be read in the time that its size allows";
    private const int Tries = 3;

    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(1);

    /// <summary>Wine's loader; the tests are run by scripts/test.mjs, which names it.</summary>
    private static string Loader => Environment.GetEnvironmentVariable("ASYNC2_WINE") ?? throw new InvalidOperationException("ASYNC2_WINE is not set: these tests are run by node scripts/windows.mjs");

    private static string Tool { get; } = Repository.PathOf("artifacts", "windows", "tests", "dotnet-async2.exe");

    /// <summary>The name of a file of Linux there.</summary>
    public static string NameOf(string path) => "Z:" + path.Replace('/', '\\');

    /// <summary>How a program is started; its inputs and outputs are ours.</summary>
    public static ProcessStartInfo Start(string program, params string[] arguments)
    {
        var start = new ProcessStartInfo(Loader, [program, .. arguments])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        // What "dotnet test" says of where .NET is, which is that of Linux.
        foreach (string name in start.Environment.Keys.Where(name => name.StartsWith("DOTNET_ROOT", StringComparison.Ordinal) || name == "DOTNET_HOST_PATH").ToList())
            start.Environment.Remove(name);
        return start;
    }

    /// <summary>Starts the tool.</summary>
    public static Process StartTool(params string[] arguments)
    {
        ProcessStartInfo start = Start(Tool, arguments);
        foreach (string[] pair in (Environment.GetEnvironmentVariable("ASYNC2_WINE_TOOL") ?? "").Split(';').Select(variable => variable.Split('=')).Where(pair => pair.Length == 2))
            start.Environment[pair[0]] = pair[1];
        return Process.Start(start)!;
    }

    /// <summary>Runs the tool to its end. A run that Wine has broken is repeated: on a busy machine it loses threads.</summary>
    public static ToolRun Run(params string[] arguments)
    {
        for (int left = Tries - 1; ; left--)
        {
            (ToolRun run, bool isBroken) = RunOnce(arguments);
            if (!isBroken)
                return run;
            Assert.True(left > 0, $"Wine did not bring {string.Join(' ', arguments)} to an end ({WineProcesses.Described()}): {run.Error}");
            WineProcesses.EndTools(arguments);
        }
    }

    /// <summary>Wine itself says that it has broken a program.</summary>
    /// <param name="errors">What the program has left on its standard error.</param>
    public static bool IsLost(string errors) => errors.Contains(Lost, StringComparison.Ordinal);

    private static (ToolRun Run, bool IsBroken) RunOnce(string[] arguments)
    {
        using Process process = StartTool(arguments);
        process.StandardInput.Close();
        Task<string> output = process.StandardOutput.ReadToEndAsync(), error = process.StandardError.ReadToEndAsync();
        bool hasEnded = process.WaitForExit(Limit);
        if (!hasEnded)
            process.Kill();
        // What it has started may live on, with its outputs in hand.
        bool isWhole = Task.WaitAll([output, error], TimeSpan.FromSeconds(10));
        string errors = LinesOf(error);
        // A process that Wine has lost ends with 0, and has said nothing.
        bool isSilent = hasEnded && process.ExitCode is 0 or 4 && LinesOf(output).Length == 0 && errors.Length == 0 && !arguments.Contains("-o");
        return (new(hasEnded ? process.ExitCode : -1, LinesOf(output), errors), !hasEnded || !isWhole || isSilent || IsLost(errors) || errors.Contains(TooLong, StringComparison.Ordinal));
    }

    private static string LinesOf(Task<string> text) => text.IsCompleted ? text.Result.Replace("\r\n", "\n", StringComparison.Ordinal) : "";
}
