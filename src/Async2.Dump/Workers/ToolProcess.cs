using System.Diagnostics;

namespace Async2.Dump.Workers;

/// <summary>This tool, started again with other arguments.</summary>
internal static class ToolProcess
{
    /// <summary>The program to start, and its arguments.</summary>
    public static (string Program, string[] Arguments) CommandLine(string[] arguments)
    {
        // If started by "dotnet dotnet-async2.dll", the process is the host, and the program its first argument.
        string self = Environment.ProcessPath ?? "dotnet";
        return (self, Path.GetFileNameWithoutExtension(self) == "dotnet" ? [Path.Join(AppContext.BaseDirectory, "dotnet-async2.dll"), .. arguments] : arguments);
    }

    /// <summary>Start info; outputs are shared with this process unless redirected. On Windows what is started ends with this process.</summary>
    public static ProcessStartInfo StartInfo(string[] arguments)
    {
        if (OperatingSystem.IsWindows())
            OwnJob.Enter();
        (string program, string[] words) = CommandLine(arguments);
        return new ProcessStartInfo(program, words);
    }

    /// <summary>Runs it to its end, outputs shared.</summary>
    /// <returns>Its exit code.</returns>
    public static int Run(string[] arguments)
    {
        using Process process = Process.Start(StartInfo(arguments))!;
        process.WaitForExit();
        return process.ExitCode;
    }
}
