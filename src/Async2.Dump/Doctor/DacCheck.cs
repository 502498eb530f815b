using System.Runtime.InteropServices;
using Async2.Analysis.Targets;

namespace Async2.Dump.Doctor;

/// <summary>Whether the data access library lies beside each running runtime; nothing can be read without it.</summary>
internal sealed class DacCheck : ICheck
{
    private const string Subject = "dac";
    private const string Library = "libmscordaccore.so";

    public IEnumerable<CheckResult> Run(Patient patient)
    {
        if (!OperatingSystem.IsLinux())
            yield break;
        if (patient.Target is null && patient.Processes.IsEmpty)
            yield return Check(RuntimeEnvironment.GetRuntimeDirectory(), "this one");
        foreach (IGrouping<string, RunningProcess> runtime in patient.Processes.GroupBy(RuntimeFolder).OrderBy(group => group.Key, StringComparer.Ordinal))
            yield return Check(runtime.Key, string.Join(", ", runtime.Select(process => process.Pid)));
    }

    /// <summary>Looks into the folder of a runtime.</summary>
    /// <param name="folder">Empty when the runtime is inside the program's own file.</param>
    /// <param name="pids">Whose runtime it is.</param>
    public static CheckResult Check(string folder, string pids)
    {
        const string cure = "get it with dotnet-symbol --debugging for that runtime, then give it with --dac FILE";
        if (folder.Length == 0)
            return CheckResult.Warn(Subject, $"process {pids}: single-file program, the library does not come with it", cure);
        return File.Exists(Path.Join(folder, Library))
            ? CheckResult.Ok(Subject, $"found in {folder}")
            : CheckResult.Fail(Subject, $"no {Library} in {folder} (process {pids})", cure);
    }

    private static string RuntimeFolder(RunningProcess process) => Path.GetDirectoryName(ProcFiles.RuntimePath(process.Pid)) ?? "";
}
