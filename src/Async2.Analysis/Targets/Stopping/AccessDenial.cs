using System.Globalization;
using Async2.Analysis.Model;
using Async2.Analysis.Targets.Files;
using Async2.Analysis.Targets.Processes;

namespace Async2.Analysis.Targets.Stopping;

/// <summary>
/// Why the system does not let this process stop or read another one (Linux: ptrace(2), "Ptrace access mode checking"), and what helps. Asked
/// only when it did not: no list of rights can tell that it will.
/// </summary>
/// <param name="Why">The end of a sentence about the process.</param>
/// <param name="Fix">What to do; <c>PID</c> stands for its id.</param>
public sealed record AccessDenial(string Why, string Fix)
{
    private static string Dump => "read a dump instead: " + HostCommands.Current.CollectDump("PID");

    private static readonly TimeSpan TrialLimit = TimeSpan.FromSeconds(1);

    /// <summary>Why no process at all may be stopped or read; null if that is not so.</summary>
    public static AccessDenial? OfAll => ProcFiles.IsForeign ? Of(new AccessFacts { IsForeign = true }) : null;

    /// <summary>The first of the kernel's reasons that holds.</summary>
    public static AccessDenial Of(int pid) => OperatingSystem.IsWindows() ? WindowsDenial.Of(pid) : Of(AccessFacts.Of(pid));

    /// <summary>Stops a process for a moment, as reading it does.</summary>
    /// <returns>Why it could not be stopped; null if it could.</returns>
    public static AccessDenial? WhenStopping(int pid)
    {
        using ProcessFreeze? freeze = ProcessFreeze.TryStop(pid, TrialLimit);
        return freeze is null ? Of(pid) : null;
    }

    /// <summary>The same, of facts.</summary>
    internal static AccessDenial Of(AccessFacts facts) => facts switch
    {
        { IsForeign: true } => new("/proc shows another pid namespace than the one that this tool runs in: by the ids there it may neither stop nor read a process",
            "share the pid namespace and mount a /proc of it: docker run --pid=container:NAME or --pid=host, in Kubernetes shareProcessNamespace: true or hostPID: true, "
            + "without a volume over /proc; by hand: mount -t proc proc /proc"),
        { Tracer: > 0 } => new(FormattableString.Invariant($"debugger {facts.Tracer} holds it"), "detach that debugger, or read without stopping: --freeze none"),
        { IsFiltered: true } => new("a seccomp filter forbids this tool to use ptrace and to read other processes' memory",
            "start the container with --cap-add SYS_PTRACE, which lifts the filter, or with --security-opt seccomp=unconfined; or " + Dump),
        { HasCapability: true, Scope: < 3 } => new("a security module of the kernel (AppArmor, SELinux) forbids it, or the process is of an outer user namespace",
            "look into the kernel's log (dmesg), or run outside of the container; or " + Dump),
        { IsOurUser: false } => new(FormattableString.Invariant($"it belongs to another user ({facts.User})"),
            $"run as that user, or with the capability SYS_PTRACE: {HostCommands.Current.AnalyzeAsRoot("PID")} (in a container that is started with --cap-add SYS_PTRACE)"),
        { HasMoreRights: true } => new("it has capabilities that this tool does not have, and CAP_SYS_PTRACE is missing",
            "start the container of this tool with --cap-add SYS_PTRACE; being root is not enough there. Or " + Dump),
        { Scope: >= 3 } => new("tracing is forbidden for everybody until the next boot (kernel.yama.ptrace_scope 3)", Dump),
        { Scope: > 0 } => new(FormattableString.Invariant($"kernel.yama.ptrace_scope is {facts.Scope}, and CAP_SYS_PTRACE is missing"),
            "run with sudo, in a container with --cap-add SYS_PTRACE, or: sudo sysctl kernel.yama.ptrace_scope=0; or " + Dump),
        { IsPrivate: true } => new("it does not allow others to read it (prctl PR_SET_DUMPABLE, or its program file is not readable)",
            $"run as root with CAP_SYS_PTRACE: {HostCommands.Current.AnalyzeAsRoot("PID")}; or {Dump}"),
        _ => new("the kernel does not permit it (a security module such as AppArmor or SELinux, or it has just ended)",
            $"run with the capability SYS_PTRACE: {HostCommands.Current.AnalyzeAsRoot("PID")}, in a container --cap-add SYS_PTRACE; or {Dump}"),
    };

    /// <summary>What to do about one process.</summary>
    public string FixFor(int pid) => Fix.Replace("PID", pid.ToString(CultureInfo.InvariantCulture), StringComparison.Ordinal);
}

/// <summary>What the kernel looks at before it lets one process trace another one.</summary>
internal readonly record struct AccessFacts
{
    private const string ScopeFile = "/proc/sys/kernel/yama/ptrace_scope";
    private const int SysPtrace = 19;

    /// <summary>Ids in /proc are of another pid namespace than ours.</summary>
    public bool IsForeign { get; init; }

    /// <summary>Who traces it already; 0 for nobody.</summary>
    public int Tracer { get; init; }

    /// <summary>We may not even call it.</summary>
    public bool IsFiltered { get; init; }

    /// <summary>We have CAP_SYS_PTRACE.</summary>
    public bool HasCapability { get; init; }

    /// <summary>It runs as our user in every respect.</summary>
    public bool IsOurUser { get; init; }

    /// <summary>Its user.</summary>
    public string? User { get; init; }

    /// <summary>It has capabilities that we do not have.</summary>
    public bool HasMoreRights { get; init; }

    /// <summary>Its files in /proc belong to root although it does not run as root.</summary>
    public bool IsPrivate { get; init; }

    /// <summary>Yama's setting; 0 where there is no Yama.</summary>
    public int Scope { get; init; }

    /// <summary>Asks.</summary>
    public static AccessFacts Of(int pid)
    {
        if (ProcFiles.IsForeign)
            return new() { IsForeign = true };
        ulong own = Capabilities(Environment.ProcessId, "CapEff"), theirs = Capabilities(pid, "CapPrm");
        string[] users = ProcFiles.Status(pid, "Uid")?.Split('\t') ?? [], ours = ProcFiles.Status(Environment.ProcessId, "Uid")?.Split('\t') ?? [];
        using var status = LinuxFiles.Mark(string.Create(CultureInfo.InvariantCulture, $"/proc/{pid}/status"));
        return new()
        {
            Tracer = int.TryParse(ProcFiles.Status(pid, "TracerPid"), CultureInfo.InvariantCulture, out int tracer) ? tracer : 0,
            IsFiltered = Ptrace.IsForbidden,
            HasCapability = (own >> SysPtrace & 1) != 0,
            IsOurUser = users.Length > 1 && ours.Length > 1 && users.Take(3).All(user => user == ours[1]),
            User = users.ElementAtOrDefault(1),
            HasMoreRights = (theirs & ~own) != 0,
            IsPrivate = status is not null && LinuxFiles.FactsOf(status) is { Owner: 0 } && users.ElementAtOrDefault(1) != "0",
            Scope = File.Exists(ScopeFile) && int.TryParse(File.ReadAllText(ScopeFile), CultureInfo.InvariantCulture, out int scope) ? scope : 0,
        };
    }

    private static ulong Capabilities(int pid, string field)
        => ulong.TryParse(ProcFiles.Status(pid, field), NumberStyles.HexNumber, CultureInfo.InvariantCulture, out ulong all) ? all : 0;
}
