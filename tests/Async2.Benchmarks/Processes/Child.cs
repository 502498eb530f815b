using System.Diagnostics;

namespace Async2.Benchmarks.Processes;

/// <summary>How a program ran.</summary>
/// <param name="Time">From before it was started until after it ended.</param>
/// <param name="ExitCode">Its exit code.</param>
/// <param name="Output">What it wrote to standard output.</param>
/// <param name="Errors">What it wrote to standard error.</param>
internal sealed record ChildResult(TimeSpan Time, int ExitCode, string Output, string Errors);

/// <summary>Runs a program to its end and takes the time.</summary>
internal static class Child
{
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(10);

    /// <summary>The host that runs this program runs all others, too.</summary>
    public static string Host { get; } = Environment.ProcessPath is { } self && Path.GetFileName(self) == "dotnet" ? self : "dotnet";

    /// <param name="assembly">The program: a dll, or a native one.</param>
    /// <param name="arguments">Its arguments.</param>
    /// <param name="observe">Called with the running process until it ends; null when only the time is wanted.</param>
    /// <exception cref="BenchException">It did not end in ten minutes.</exception>
    public static ChildResult Run(string assembly, string[] arguments, Action<Process>? observe = null)
    {
        bool isManaged = Path.GetExtension(assembly) == ".dll";
        var start = new ProcessStartInfo(isManaged ? Host : assembly)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            UseShellExecute = false,
        };
        foreach (string word in isManaged ? [assembly, .. arguments] : arguments)
            start.ArgumentList.Add(word);
        long begin = Stopwatch.GetTimestamp();
        using Process process = Process.Start(start)!;
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        Task<string> errors = process.StandardError.ReadToEndAsync();
        observe?.Invoke(process);
        if (!process.WaitForExit(Limit))
        {
            process.Kill(entireProcessTree: true);
            throw new BenchException($"{Path.GetFileName(assembly)} {string.Join(' ', arguments)} did not end within {Limit.TotalMinutes} minutes");
        }
        TimeSpan time = Stopwatch.GetElapsedTime(begin);
        return new ChildResult(time, process.ExitCode, output.Result, errors.Result);
    }

    /// <summary>Like <see cref="Run"/>, for programs that have to succeed.</summary>
    /// <exception cref="BenchException">It did not.</exception>
    public static ChildResult MustRun(string assembly, params string[] arguments)
    {
        ChildResult result = Run(assembly, arguments);
        return result.ExitCode == 0
            ? result
            : throw new BenchException($"{Path.GetFileName(assembly)} {string.Join(' ', arguments)} ended with {result.ExitCode}: {result.Errors.Trim()}");
    }
}
