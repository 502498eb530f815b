using System.Diagnostics;

namespace Async2.Dump.Cli;

/// <summary>This tool, started once more with other arguments.</summary>
internal static class ToolProcess
{
    /// <summary>How to start it; outputs are shared with this process unless redirected.</summary>
    public static ProcessStartInfo StartInfo(IEnumerable<string> arguments)
    {
        // Started by "dotnet dotnet-async2.dll" the process is the host, and the program its first argument.
        string self = Environment.ProcessPath ?? "dotnet";
        var start = new ProcessStartInfo(self);
        if (Path.GetFileNameWithoutExtension(self) == "dotnet")
            start.ArgumentList.Add(typeof(ToolProcess).Assembly.Location);
        foreach (string argument in arguments)
            start.ArgumentList.Add(argument);
        return start;
    }

    /// <summary>Runs it to its end, outputs shared.</summary>
    /// <returns>Its exit code.</returns>
    public static int Run(IEnumerable<string> arguments)
    {
        using Process process = Process.Start(StartInfo(arguments))!;
        process.WaitForExit();
        return process.ExitCode;
    }
}
