using System.Runtime.Versioning;
using Async2.Analysis.Model;
using Async2.Analysis.Targets.Windows;

namespace Async2.Analysis.Targets.Stopping;

/// <summary>Why Windows does not let this process stop or read another one, and what helps. Asked only when it did not.</summary>
[SupportedOSPlatform("windows")]
internal static class WindowsDenial
{
    /// <summary>The first reason that holds.</summary>
    public static AccessDenial Of(int pid) => Of(WindowsAccess.Of(pid));

    /// <summary>The same, of facts.</summary>
    internal static AccessDenial Of(WindowsAccess facts) => facts switch
    {
        { IsDebugged: true } => new("a debugger holds it", "detach that debugger, or read without stopping: --freeze none"),
        { MayDebug: true, IsOpen: false } => new("it is a protected process, which Windows lets nobody read", "there is nothing to do about that; a program of yours is not protected"),
        { User: { } user, IsOurUser: false } => new($"it belongs to another user ({user})", AsAdministrator),
        { IsElevated: true } => new("it runs with an administrator's rights, and this tool does not", AsAdministrator),
        { IsOpen: false } => new("it belongs to another user, or runs with more rights than this tool", AsAdministrator),
        _ => new("Windows does not permit it (an antivirus program, or it has just ended)", $"{AsAdministrator}; or read a dump instead: {HostCommands.Current.CollectDump("PID")}"),
    };

    private static string AsAdministrator => $"run it in a terminal that was started with \"Run as administrator\": {HostCommands.Current.Analyze("PID")}";
}

/// <summary>What Windows looks at before it lets one process open another one.</summary>
internal readonly record struct WindowsAccess
{
    /// <summary>A debugger is attached to it.</summary>
    public bool IsDebugged { get; init; }

    /// <summary>We have the debug privilege, which opens all processes but protected ones.</summary>
    public bool MayDebug { get; init; }

    /// <summary>It can be opened to read it.</summary>
    public bool IsOpen { get; init; }

    /// <summary>Its user; null if unknown.</summary>
    public string? User { get; init; }

    /// <summary>That is ours.</summary>
    public bool IsOurUser { get; init; }

    /// <summary>It has more rights than we have.</summary>
    public bool IsElevated { get; init; }

    /// <summary>Asks.</summary>
    [SupportedOSPlatform("windows")]
    public static WindowsAccess Of(int pid)
    {
        using WindowsProcess? readable = WindowsProcess.TryOpen(pid, WindowsCalls.QueryInformation | WindowsCalls.ReadMemory, out _);
        using WindowsProcess? known = readable is null ? WindowsProcess.TryOpen(pid, WindowsCalls.QueryLimited, out _) : null;
        WindowsToken? token = (readable ?? known) is { } process ? WindowsToken.Of(process) : null;
        return new()
        {
            IsDebugged = readable?.IsDebugged == true,
            MayDebug = DebugPrivilege.IsEnabled,
            IsOpen = readable is not null,
            User = token is null ? null : WindowsToken.NameOf(token.User),
            IsOurUser = token is not null && token.User == WindowsToken.Own?.User,
            IsElevated = token is not null && token.Integrity > WindowsToken.Own?.Integrity,
        };
    }
}
