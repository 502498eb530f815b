using System.Diagnostics;
using Async2.Dump.Workers;

namespace Async2.Dump.Agents;

/// <summary>A command of this tool, run in a process of its own: what crashes there leaves the server alone.</summary>
/// <param name="ExitCode">As a shell sees it.</param>
/// <param name="Output">Standard output.</param>
/// <param name="Error">Standard error.</param>
internal sealed record ToolChild(int ExitCode, string Output, string Error)
{
    private const string ErrorMark = "error: ", FixMark = "fix: ";

    /// <summary>Runs a command to its end.</summary>
    /// <param name="arguments">The command line.</param>
    /// <param name="cancellation">When set, the process is killed; what it had stopped runs on.</param>
    public static async Task<ToolChild> Run(string[] arguments, CancellationToken cancellation)
    {
        ProcessStartInfo start = ToolProcess.StartInfo(arguments);
        start.RedirectStandardInput = start.RedirectStandardOutput = start.RedirectStandardError = true;
        using Process process = Process.Start(start)!;
        process.StandardInput.Close();
        Task<string> output = process.StandardOutput.ReadToEndAsync(cancellation), error = process.StandardError.ReadToEndAsync(cancellation);
        try
        {
            await process.WaitForExitAsync(cancellation).ConfigureAwait(false);
            return new(process.ExitCode, await output.ConfigureAwait(false), await error.ConfigureAwait(false));
        }
        catch (OperationCanceledException)
        {
            process.Kill();
            throw;
        }
    }

    /// <summary>What the command said is wrong, and what to do about it.</summary>
    public AgentException Failure()
    {
        string[] lines = Error.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        string? message = Array.Find(lines, line => line.StartsWith(ErrorMark, StringComparison.Ordinal)), fix = Array.Find(lines, line => line.StartsWith(FixMark, StringComparison.Ordinal));
        return new(message?[ErrorMark.Length..] ?? $"the target could not be read (exit code {ExitCode})", fix?[FixMark.Length..] ?? "try again");
    }
}
