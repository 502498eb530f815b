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
        using Process oven = Process.Start(new ProcessStartInfo("cat") { RedirectStandardInput = true })!;
        t.Rest("Process.WaitForExitAsync", oven.StandardInput.Close, "Process.WaitForExitAsync, pid {number}, running");
        t.At(); await oven.WaitForExitAsync();
        return oven.ExitCode;
    }
}
