using System.Collections.Immutable;
using System.Globalization;
using Async2.Analysis.Targets.Processes;
using Async2.Dump.Cli;

namespace Async2.Dump.Doctor;

/// <summary>What the doctor examines: this machine, and the target if one was given.</summary>
internal sealed class DoctorContext
{
    /// <summary>Determines the kind of the target.</summary>
    /// <param name="session">The run of the tool.</param>
    /// <param name="target">The user's TARGET, or null.</param>
    public DoctorContext(ToolSession session, string? target)
    {
        Session = session;
        Target = target;
        Running = ProcessList.All();
        Process = target is null ? null : Running.FirstOrDefault(process => process.Pid == Pid(target));
        Processes = target is null ? Running : Process is null ? [] : [Process];
    }

    /// <summary>The run of the tool.</summary>
    public ToolSession Session { get; }

    /// <summary>The user's TARGET, or null for the machine as a whole.</summary>
    public string? Target { get; }

    /// <summary>The target, if it is a .NET process.</summary>
    public RunningProcess? Process { get; }

    /// <summary>The processes to check: the target, or all of the machine.</summary>
    public ImmutableArray<RunningProcess> Processes { get; }

    private ImmutableArray<RunningProcess> Running { get; }

    private int? Pid(string target)
    {
        if (int.TryParse(target, NumberStyles.None, CultureInfo.InvariantCulture, out int pid))
            return pid;
        RunningProcess[] named = [.. Running.Where(process => process.Name == target)];
        return named.Length == 1 && !File.Exists(target) ? named[0].Pid : null;
    }
}
