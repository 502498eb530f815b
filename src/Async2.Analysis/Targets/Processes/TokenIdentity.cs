using System.Runtime.Versioning;
using Async2.Analysis.Targets.Windows;

namespace Async2.Analysis.Targets.Processes;

/// <summary>The program of a Windows process, and its rights. A process never becomes another program, but its id is given to another one when it has ended.</summary>
/// <param name="Started">When, in the file times of Windows.</param>
/// <param name="Program">Path of the program.</param>
/// <param name="Token">In whose name it runs.</param>
[SupportedOSPlatform("windows")]
internal sealed record TokenIdentity(long Started, string? Program, WindowsToken Token) : ProcessIdentity
{
    /// <summary>Our user, and not with fewer rights than ours.</summary>
    public override bool IsOurUser => WindowsToken.Own is { } own && Token.User == own.User && Token.Integrity >= own.Integrity && Token.IsElevated == own.IsElevated && !Token.IsContained;

    /// <inheritdoc/>
    public override bool HasOurRights => IsOurUser;

    /// <summary>Null if unknown.</summary>
    public static new TokenIdentity? Of(int pid)
    {
        using WindowsProcess? process = WindowsProcess.TryOpen(pid, WindowsCalls.QueryLimited, out _);
        return process is not null && WindowsToken.Of(process) is { } token ? new(process.Started, process.Program, token) : null;
    }
}
