using System.Runtime.Versioning;
using System.Security.Principal;
using Microsoft.Win32;
using Microsoft.Win32.SafeHandles;

namespace Async2.Analysis.Targets.Windows;

/// <summary>In whose name a process runs, and with which rights: what its access token says.</summary>
/// <param name="User">The user's security identifier.</param>
/// <param name="Integrity">The level of its integrity: 0x2000 is that of usual programs, 0x3000 of elevated ones, 0x1000 of those that nobody trusts (SECURITY_MANDATORY_*_RID of winnt.h).</param>
/// <param name="IsElevated">The user started it with rights that his other programs do not have (UAC).</param>
/// <param name="IsContained">It is in a sandbox of its own (AppContainer).</param>
[SupportedOSPlatform("windows")]
internal sealed record WindowsToken(string User, uint Integrity, bool IsElevated, bool IsContained)
{
    private const uint Query = 0x0008;

    // TOKEN_INFORMATION_CLASS, TOKEN_ELEVATION_TYPE.
    private const int ElevationType = 18, IntegrityLevel = 25, AppContainer = 29;
    private const uint ElevatedType = 2;

    private const string Policies = @"SOFTWARE\Microsoft\Windows\CurrentVersion\Policies\System";
    private static readonly Lazy<WindowsToken?> Current = new(() =>
    {
        using WindowsProcess? self = WindowsProcess.TryOpen(Environment.ProcessId, WindowsCalls.QueryLimited, out _);
        return self is null ? null : Of(self);
    });

    /// <summary>That of this process; null if unknown.</summary>
    public static WindowsToken? Own => Current.Value;

    /// <summary>That of a process; null if it may not be known.</summary>
    /// <param name="process">Opened with QueryInformation or QueryLimited.</param>
    public static WindowsToken? Of(WindowsProcess process)
    {
        if (WindowsCalls.OpenProcessToken(process.Handle, Query, out SafeAccessTokenHandle token) == 0)
            return null;
        using (token)
        {
            using var identity = new WindowsIdentity(token.DangerousGetHandle());
            return identity.User is { } user && Level(token) is { } integrity
                ? new(user.Value, integrity, Number(token, ElevationType) == ElevatedType && IsControlled, Number(token, AppContainer) is > 0)
                : null;
        }
    }

    /// <summary>The account's name, <c>SHOP\anna</c>; the identifier where there is none.</summary>
    public static string NameOf(string user)
    {
        try
        {
            return new SecurityIdentifier(user).Translate(typeof(NTAccount)).Value;
        }
        catch (Exception e) when (e is IdentityNotMappedException or SystemException)
        {
            return user;
        }
    }

    // User account control is on: where it is off, no program has more rights than another one of its user, whatever tokens say.
    private static bool IsControlled
    {
        get
        {
            using RegistryKey? policies = Registry.LocalMachine.OpenSubKey(Policies);
            return policies?.GetValue("EnableLUA") is int and not 0;
        }
    }

    private static unsafe uint? Number(SafeAccessTokenHandle token, int kind)
    {
        uint number, needed;
        return WindowsCalls.GetTokenInformation(token, kind, &number, sizeof(uint), &needed) != 0 ? number : null;
    }

    // TOKEN_MANDATORY_LABEL: a pointer to an identifier, whose last number is the level.
    private static unsafe uint? Level(SafeAccessTokenHandle token)
    {
        const int size = 128;
        byte* label = stackalloc byte[size];
        uint needed;
        return WindowsCalls.GetTokenInformation(token, IntegrityLevel, label, size, &needed) != 0
            && uint.TryParse(new SecurityIdentifier(*(nint*)label).Value.Split('-')[^1], out uint level) ? level : null;
    }
}
