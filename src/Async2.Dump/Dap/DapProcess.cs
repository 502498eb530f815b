using System.Runtime.CompilerServices;
using Async2.Dump.Cli;
using Async2.Dump.Dap.Session;
using Async2.Dump.Workers;

namespace Async2.Dump.Dap;

/// <summary>
/// The adapter's two processes: the one that an editor starts, which relays, and the one that it starts itself, which reads targets.
/// </summary>
internal static class DapProcess
{
    /// <summary>The command that starts it.</summary>
    public const string Command = "dap";

    private const int StandardOutput = 1;

    /// <summary>Talks until the client ends it; returns the exit code.</summary>
    /// <param name="quiet">Whatever native code says on standard error is not for the user.</param>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Run(bool quiet)
    {
        using Stream input = Console.OpenStandardInput(), output = Console.OpenStandardOutput();
        return WorkerProcess.IsThisOne ? Read(input, output, quiet) : Relay(input, output);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Relay(Stream input, Stream output)
    {
        ToolHost.Speak();
        using var relay = new DapRelay(input, output, DapReader.Start);
        return relay.Run();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Read(Stream input, Stream output, bool quiet)
    {
        // Nobody but the protocol may write to standard output. The streams are copies of the file that native code knows.
        Console.SetOut(TextWriter.Null);
        if (OperatingSystem.IsLinux())
            NativeProcess.Silence(StandardOutput);
        WorkerProcess.Enter(quiet, ExitCodes.Interrupted);
        ToolHost.Speak();
        using var server = new DapServer(input, output, TargetReader.Read);
        return server.Run() ? ExitCodes.Fine : ExitCodes.Usage;
    }
}
