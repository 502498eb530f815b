using Async2.Analysis.Targets.Dumps;
using Microsoft.Diagnostics.NETCore.Client;

namespace Async2.Tests.Support.Programs;

/// <summary>Full dumps of programs that tests started: on Linux the program writes it itself, on Windows this process does.</summary>
internal static class ProgramDump
{
    public static void Write(int pid, string path)
    {
        if (OperatingSystem.IsWindows())
            DumpWriter.Write(pid, path);
        else
            new DiagnosticsClient(pid).WriteDump(DumpType.Full, path);
    }
}
