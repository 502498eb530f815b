using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace Async2.Analysis.Targets.Windows;

/// <summary>
/// SeDebugPrivilege: who has it, an administrator in an elevated session, may open processes of all users. It is off until a program
/// enables it for itself.
/// </summary>
[SupportedOSPlatform("windows")]
public static unsafe class DebugPrivilege
{
    private const string Name = "SeDebugPrivilege";
    private const uint Query = 0x0008, Adjust = 0x0020, Enabled = 2;

    // ERROR_NOT_ALL_ASSIGNED: the call succeeds also when the privilege is not there to be enabled.
    private const int NotThere = 1300;

    private static readonly Lazy<bool> State = new(TryEnable);

    /// <summary>Whether this process has it, and it is on.</summary>
    public static bool IsEnabled => State.Value;

    /// <summary>Enables it, once, where it is available.</summary>
    public static void Enable() => _ = State.Value;

    private static bool TryEnable()
    {
        using SafeProcessHandle self = Process.GetCurrentProcess().SafeHandle;
        if (WindowsCalls.OpenProcessToken(self, Query | Adjust, out SafeAccessTokenHandle token) == 0 || WindowsCalls.LookupPrivilegeValueW(null, Name, out long id) == 0)
            return false;
        using (token)
        {
            // TOKEN_PRIVILEGES with one of them: how many, its id, its state.
            byte* state = stackalloc byte[16];
            *(uint*)state = 1;
            *(long*)(state + 4) = id;
            *(uint*)(state + 12) = Enabled;
            return WindowsCalls.AdjustTokenPrivileges(token, 0, state, 0, null, null) != 0 && Marshal.GetLastPInvokeError() != NotThere;
        }
    }
}
