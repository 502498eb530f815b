using System.Runtime.Versioning;
using Async2.Analysis.Targets.Windows;

namespace Async2.Analysis.Targets.Processes;

/// <summary>
/// Processes of Windows. Those of .NET have <c>coreclr.dll</c> loaded, or a diagnostics pipe (single-file programs have the runtime inside their own
/// executable, and those of other users cannot be looked into).
/// </summary>
[SupportedOSPlatform("windows")]
internal sealed class WindowsProcesses : IProcessDirectory
{
    private const string RuntimeLibrary = "coreclr.dll";
    private const uint Look = WindowsCalls.QueryInformation | WindowsCalls.ReadMemory;

    /// <inheritdoc/>
    public IEnumerable<int> DotnetPids() => Pids().Where(pid => RuntimePath(pid) is not null).Concat(DiagnosticPipes.Pids());

    /// <inheritdoc/>
    public IEnumerable<int> Pids() => WindowsProcess.Ids();

    /// <inheritdoc/>
    public RunningProcess? Describe(int pid)
    {
        using WindowsProcess? process = WindowsProcess.TryOpen(pid, Look, out _) ?? WindowsProcess.TryOpen(pid, WindowsCalls.QueryLimited, out _);
        // A process that has ended has an id as long as somebody has it open, but no modules and no times that go on.
        if (process is null || process.HasExitCode || process.Program is not { } program)
            return null;
        string? line = process.CommandLine;
        string name = (line is null ? null : ProgramIn(CommandLineWords.Split(line))) ?? Path.GetFileNameWithoutExtension(program);
        return new RunningProcess(pid, name, line, ProcFiles.Version(RuntimeOf(process))) { Started = process.Started > 0 ? process.Started : null };
    }

    /// <summary>The executable's, with and without its ending.</summary>
    public IEnumerable<string> OtherNames(int pid)
    {
        using WindowsProcess? process = WindowsProcess.TryOpen(pid, WindowsCalls.QueryLimited, out _);
        return process?.Program is { } program ? [Path.GetFileName(program), Path.GetFileNameWithoutExtension(program)] : [];
    }

    /// <summary>Windows notes an id, which another process may have by now: one that is younger than its child.</summary>
    public int? Parent(int pid)
    {
        using WindowsProcess? process = WindowsProcess.TryOpen(pid, WindowsCalls.QueryLimited, out _);
        if (process?.Parent is not { } parent)
            return null;
        using WindowsProcess? starter = WindowsProcess.TryOpen(parent, WindowsCalls.QueryLimited, out _);
        return starter is not null && starter.Started <= process.Started ? parent : null;
    }

    /// <inheritdoc/>
    public string[] Arguments(int pid)
    {
        using WindowsProcess? process = WindowsProcess.TryOpen(pid, Look, out _);
        return process?.CommandLine is { } line ? CommandLineWords.Split(line) : [];
    }

    /// <inheritdoc/>
    public long? ResidentBytes(int pid)
    {
        using WindowsProcess? process = WindowsProcess.TryOpen(pid, Look, out _);
        return process?.ResidentBytes;
    }

    /// <inheritdoc/>
    public bool HasDiagnostics(int pid) => DiagnosticPipes.Has(pid);

    /// <inheritdoc/>
    public bool IsNative(int pid)
    {
        using WindowsProcess? process = WindowsProcess.TryOpen(pid, Look, out _);
        return process is not null && process.Modules().Count > 0 && RuntimeOf(process) is null && !DiagnosticPipes.Has(pid);
    }

    private static string? RuntimePath(int pid)
    {
        using WindowsProcess? process = WindowsProcess.TryOpen(pid, Look, out _);
        return process is null ? null : RuntimeOf(process);
    }

    private static string? RuntimeOf(WindowsProcess process)
        => process.Modules().Select(module => module.Path).FirstOrDefault(path => string.Equals(Path.GetFileName(path), RuntimeLibrary, StringComparison.OrdinalIgnoreCase));

    // The dll that the host runs, without extension; null for programs with their own executable.
    private static string? ProgramIn(string[] words)
    {
        if (words.Length == 0 || !string.Equals(Path.GetFileNameWithoutExtension(words[0]), "dotnet", StringComparison.OrdinalIgnoreCase))
            return null;
        string? dll = words.Skip(1).FirstOrDefault(word => word.EndsWith(".dll", StringComparison.OrdinalIgnoreCase));
        return dll is null ? null : Path.GetFileNameWithoutExtension(dll);
    }
}
