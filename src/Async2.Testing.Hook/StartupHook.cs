using System;
using System.Globalization;
using System.Runtime.InteropServices;

/// <summary>
/// What a test host, and .NET processes that it starts, run first where Yama lets only ancestors of a process read it: they allow the data collector to, and what that has
/// started. The collector is not an ancestor, and nobody but the process itself can allow it.
/// </summary>
internal static class StartupHook
{
    private const string Collector = "ASYNC2_TEST_COLLECTOR";

    // prctl(2): a process, and those that it has started.
    private const int SetPtracer = 0x59616d61;

    /// <summary>Called by the runtime before the program's own code.</summary>
    public static void Initialize()
    {
        try
        {
            if (int.TryParse(Environment.GetEnvironmentVariable(Collector), NumberStyles.None, CultureInfo.InvariantCulture, out int collector))
                _ = Control(SetPtracer, (IntPtr)collector, IntPtr.Zero, IntPtr.Zero, IntPtr.Zero);
        }
        catch (Exception e) when (e is DllNotFoundException || e is EntryPointNotFoundException)
        {
            // Then stacks cannot be read, and tests run all the same.
        }
    }

    [DllImport("libc", EntryPoint = "prctl")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Control(int option, IntPtr a, IntPtr b, IntPtr c, IntPtr d);
}
