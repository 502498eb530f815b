using System.Runtime.CompilerServices;
using Async2.Dump.Cli;
using Async2.Dump.Dap.Session;
using Async2.Dump.Workers;

namespace Async2.Dump.Dap;

/// <summary>
/// The adapter's two processes: the one that an editor starts, which relays messages, and the worker that it starts, which reads targets.
/// </summary>
internal static class DapProcess
{
    /// <summary>The command that starts the worker.</summary>
    public const string Command = "dap";

    private const int StandardOutput = 1;

    /// <summary>Serves the client until it ends the session; returns the exit code.</summary>
    /// <param name="quiet">Output of native code on standard error is hidden from the user.</param>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Run(bool quiet)
    {
        using Stream input = Console.OpenStandardInput(), output = Console.OpenStandardOutput();
        if (!WorkerProcess.IsThisOne)
            return Relay(input, output);
        int code = Read(input, output, quiet);
        WorkerEnd.Prepare(code);
        return code;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Relay(Stream input, Stream output)
    {
        ToolHost.Register();
        using var relay = new DapRelay(input, output, DapWorker.Start);
        return relay.Run();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Read(Stream input, Stream output, bool quiet)
    {
        // Only protocol messages may go to standard output. The streams are duplicates of the descriptors that native code uses.
        Console.SetOut(TextWriter.Null);
        if (OperatingSystem.IsLinux())
            NativeProcess.RedirectToNull(StandardOutput);
        WorkerProcess.Enter(quiet, ExitCodes.Interrupted);
        ToolHost.Register();
        using var server = new DapServer(input, output, TargetReader.Read);
        return server.Run() ? ExitCodes.Fine : ExitCodes.Usage;
    }
}
