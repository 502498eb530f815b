// The user must see which process is waited for, and that it still runs.
using System.Diagnostics;
using Scenarios.Support;

namespace Scenarios.Waits;

[Scenario("Process.WaitForExitAsync of a child")]
public static class ProcessExit
{
    public static async Task Run(Trail t)
    {
        int code = await BakeAsync(t.At());
        GC.KeepAlive(code);
    }

    // The child ends by itself when this program does, because it reads from it.
    private static async Task<int> BakeAsync(Trail t)
    {
        string[] oven = OperatingSystem.IsWindows() ? ["cmd", "/c", "set /p line="] : ["cat"];
        using Process process = Process.Start(new ProcessStartInfo(oven[0], oven[1..]) { RedirectStandardInput = true })!;
        t.Rest("Process.WaitForExitAsync", process.StandardInput.Close, "Process.WaitForExitAsync, pid {number}, running");
        t.At(); await process.WaitForExitAsync();
        return process.ExitCode;
    }
}
