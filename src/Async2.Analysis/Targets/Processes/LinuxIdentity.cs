using System.Globalization;
using Async2.Analysis.Targets.Files;

namespace Async2.Analysis.Targets.Processes;

/// <summary>
/// The program of a Linux process, and its rights. A process keeps its id when it becomes another program (execve(2)),
/// and gets another user's rights if that is setuid: data read from it can only be attributed to its owner if this was the same
/// before and after.
/// </summary>
/// <param name="Started">Start time, in ticks: another process with the same id has another one.</param>
/// <param name="Stack">Start of its stack, which is random in each program that it becomes; 0 if unknown.</param>
/// <param name="Executable">File system and number of the program.</param>
/// <param name="Users">Real, effective, saved and file system user.</param>
/// <param name="UserNamespace">The namespace of user ids.</param>
/// <param name="MountNamespace">The namespace of its paths.</param>
/// <param name="Capabilities">Further rights that it has or may get (capabilities(7)).</param>
internal sealed record LinuxIdentity(
    string Started, string Stack, (ulong Device, ulong Inode) Executable, string Users, string UserNamespace, string MountNamespace, ulong Capabilities) : ProcessIdentity
{
    // Fields of proc(5), stat, from the third on.
    private const int StartTime = 22 - 3;
    private const int StartStack = 28 - 3;

    /// <summary>Its user in every respect, and no fewer capabilities than ours.</summary>
    public override bool HasOurRights => Own.Value is { } own && Users == own.Users && IsOfOneUser && UserNamespace == own.UserNamespace && (own.Capabilities & ~Capabilities) == 0;

    /// <inheritdoc/>
    public override bool IsOurUser => Own.Value is { } own && Users == own.Users && IsOfOneUser && UserNamespace == own.UserNamespace;

    private static Lazy<LinuxIdentity?> Own { get; } = new(() => Of("self"));

    // A setuid program belongs to one user and runs for another.
    private bool IsOfOneUser => Users.Split('\t').Distinct().Count() == 1;

    /// <summary>That of a process by its name in <c>/proc</c>; null if unknown.</summary>
    public static LinuxIdentity? Of(string process)
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
