using System.Globalization;
using Async2.Analysis.Targets.Files;

namespace Async2.Analysis.Targets.Processes;

/// <summary>
/// Which program runs as a Linux process, and with whose rights. A process keeps its id when it becomes another program (execve(2)),
/// and gets another user's rights when that one is setuid: what was read of it is only worth what its owner is if this was the same
/// before and after.
/// </summary>
/// <param name="Started">Start time, in ticks: another process with the same id has another one.</param>
/// <param name="Stack">Where its stack begins, by chance in each program that it becomes; 0 when we may not know.</param>
/// <param name="Executable">File system and number of the program.</param>
/// <param name="Users">Real, effective, saved and file system user.</param>
/// <param name="UserNamespace">In which the numbers of users mean what they mean.</param>
/// <param name="MountNamespace">In which its paths mean what they mean.</param>
/// <param name="Capabilities">What it may do besides, and may get (capabilities(7)).</param>
internal sealed record ProcessIdentity(
    string Started, string Stack, (ulong Device, ulong Inode) Executable, string Users, string UserNamespace, string MountNamespace, ulong Capabilities)
{
    // Fields of proc(5), stat, from the third on.
    private const int StartTime = 22 - 3;
    private const int StartStack = 28 - 3;

    /// <summary>Who a process is now; null when that cannot be told, as elsewhere than on Linux.</summary>
    public static ProcessIdentity? Of(int pid) => OperatingSystem.IsLinux() ? Of(pid.ToString(CultureInfo.InvariantCulture)) : null;

    /// <summary>Whether the process has just the rights of this one: its user in every respect, and no fewer capabilities.</summary>
    public bool HasOurRights => Own.Value is { } own && Users == own.Users && IsOfOneUser && UserNamespace == own.UserNamespace && (own.Capabilities & ~Capabilities) == 0;

    /// <summary>Whether the process runs as our user, in every respect.</summary>
    public bool IsOurUser => Own.Value is { } own && Users == own.Users && IsOfOneUser && UserNamespace == own.UserNamespace;

    private static Lazy<ProcessIdentity?> Own { get; } = new(() => OperatingSystem.IsLinux() ? Of("self") : null);

    // A setuid program is of one user and obeys another.
    private bool IsOfOneUser => Users.Split('\t').Distinct().Count() == 1;

    private static ProcessIdentity? Of(string process)
    {
        try
        {
            string folder = "/proc/" + process;
            string? users = null;
            ulong capabilities = 0;
            foreach (string line in File.ReadLines(folder + "/status"))
            {
                if (line.StartsWith("Uid:\t", StringComparison.Ordinal))
                    users = line["Uid:\t".Length..];
                else if (line.StartsWith("CapPrm:\t", StringComparison.Ordinal))
                    capabilities = ulong.Parse(line.AsSpan("CapPrm:\t".Length), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture);
            }
            using var executable = LinuxFiles.Mark(folder + "/exe");
            if (users is null || ProcFiles.StatFields(process) is not { Length: > StartStack } fields || executable is null || LinuxFiles.FactsOf(executable) is not { } program
                || new FileInfo(folder + "/ns/user").LinkTarget is not { } userSpace || new FileInfo(folder + "/ns/mnt").LinkTarget is not { } mountSpace)
                return null;
            return new(fields[StartTime], fields[StartStack], (program.Device, program.Inode), users, userSpace, mountSpace, capabilities);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or FormatException)
        {
            return null;
        }
    }
}
