using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Dumps;

namespace Async2.Benchmarks.Processes;

/// <summary>A full dump of a workload; the process that it shows has ended.</summary>
/// <param name="Path">The file.</param>
/// <param name="Frames">Suspended methods in it, as the program counted them.</param>
internal sealed record WorkloadDump(string Path, long Frames)
{
    /// <exception cref="BenchException">The disk is too small, or no dump was written.</exception>
    public static WorkloadDump Make(Workload workload, DumpFolder folder)
    {
        using WorkloadProcess process = WorkloadProcess.Start(workload.Arguments);
        return Make(process, workload.Name, folder);
    }

    /// <exception cref="BenchException">The disk is too small, or no dump was written.</exception>
    public static WorkloadDump Make(WorkloadProcess process, string name, DumpFolder folder)
    {
        folder.MustHold(process.Size);
        string path = folder.PathOf(name + ".dmp");
        try
        {
            DumpWriter.Write(process.Pid, path);
            return new WorkloadDump(path, process.Frames);
        }
        catch (TargetException failed)
        {
            throw new BenchException(failed.Message);
        }
    }
}
