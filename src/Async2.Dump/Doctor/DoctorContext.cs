using System.Collections.Immutable;
using System.Globalization;
using Async2.Analysis.Targets.Processes;
using Async2.Dump.Cli;

namespace Async2.Dump.Doctor;

/// <summary>What the doctor looks at: this machine, and the target if one was named.</summary>
internal sealed class DoctorContext
{
    /// <summary>Finds out what a target is.</summary>
    /// <param name="session">How the tool runs now.</param>
    /// <param name="target">What the user named, or null.</param>
    public DoctorContext(ToolSession session, string? target)
    {
        Session = session;
        Target = target;
        Running = ProcessList.All();
        Process = target is null ? null : Running.FirstOrDefault(process => process.Pid == Pid(target));
        Processes = target is null ? Running : Process is null ? [] : [Process];
    }

    /// <summary>How the tool runs now.</summary>
    public ToolSession Session { get; }

    /// <summary>What the user named, or null for the machine as a whole.</summary>
    public string? Target { get; }

    /// <summary>The target, when it is a .NET process.</summary>
    public RunningProcess? Process { get; }

    /// <summary>The processes in question: the target alone, or all of the machine.</summary>
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
