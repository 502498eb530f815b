using System.Globalization;

namespace Async2.Analysis.Targets.Processes;

/// <summary>
/// Which program a process is, and with which rights it runs: data read from it can only be attributed to its owner if this was the same before and after.
/// </summary>
internal abstract record ProcessIdentity
{
    /// <summary>Whether the process has exactly the rights of this one.</summary>
    public abstract bool HasOurRights { get; }

    /// <summary>Whether the process runs as our user, in every respect.</summary>
    public abstract bool IsOurUser { get; }

    /// <summary>The current identity of a process; null if unknown, as on other systems than Linux and Windows.</summary>
    public static ProcessIdentity? Of(int pid)
    {
        if (OperatingSystem.IsWindows())
            return TokenIdentity.Of(pid);
        return OperatingSystem.IsLinux() ? LinuxIdentity.Of(pid.ToString(CultureInfo.InvariantCulture)) : null;
    }
}
