using System.Diagnostics;

namespace Async2.Tests.Support.Programs;

/// <summary>The built tool, run as a user runs it: as a process, its outputs caught apart.</summary>
/// <param name="ExitCode">What the shell sees.</param>
/// <param name="Output">Standard output.</param>
/// <param name="Error">Standard error.</param>
internal sealed record ToolRun(int ExitCode, string Output, string Error)
{
    private const UnixFileMode EverybodyRuns = (UnixFileMode)0b111_101_101;
    // Under Wine all takes longer.
    private static readonly TimeSpan Timeout = TimeSpan.FromMinutes(OperatingSystem.IsWindows() ? 3 : 1);

    /// <summary>Names a native build of the tool, which all tests then run instead.</summary>
    public static readonly string? Native = Environment.GetEnvironmentVariable("ASYNC2_NATIVE") is { Length: > 0 } file ? Path.GetFullPath(file) : null;

    /// <summary>The file that is the tool.</summary>
    public static readonly string Program = Native ?? Path.Join(AppContext.BaseDirectory, OperatingSystem.IsWindows() ? "dotnet-async2.exe" : "dotnet-async2.dll");

    /// <summary>The tool as the beginning of a line of shell.</summary>
    public static readonly string InShell = Native ?? "dotnet " + Program;

    public static ToolRun Of(params string[] arguments) => Finish(Start(arguments));

    /// <summary>Copies the tool into a folder: where it is built nobody else may be able to read.</summary>
    public static void CopyTo(string folder)
    {
        string[] files = Native is null ? [.. Directory.EnumerateFiles(AppContext.BaseDirectory).Where(file => Path.GetExtension(file) is ".dll" or ".json")] : [Native];
        foreach (string file in files)
            File.Copy(file, Path.Join(folder, Path.GetFileName(file)));
        // As installed by "dotnet tool", only its owner may run it.
        if (Native is not null && !OperatingSystem.IsWindows())
            File.SetUnixFileMode(Path.Join(folder, Path.GetFileName(Native)), EverybodyRuns);
    }

    /// <summary>Runs another program, or a command of <c>dotnet</c> itself, in the same way.</summary>
    public static ToolRun OfDotnet(params string[] arguments) => Finish(Process.Start(StartInfo("dotnet", arguments))!);

    /// <summary>Runs it with an environment variable.</summary>
    public static ToolRun With(string variable, string value, params string[] arguments)
    {
        ProcessStartInfo start = StartInfo(arguments);
        start.Environment[variable] = value;
        return Finish(Process.Start(start)!);
    }

    /// <summary>Runs a line of shell in which <c>$TOOL</c> is the tool.</summary>
    public static ToolRun Shell(string line)
    {
        ProcessStartInfo start = StartInfo("/bin/sh", ["-c", line]);
        start.Environment["TOOL"] = InShell;
        return Finish(Process.Start(start)!);
    }

    public static Process Start(params string[] arguments) => Process.Start(StartInfo(arguments))!;

    /// <summary>Starts it with environment variables.</summary>
    public static Process Start((string Name, string Value)[] environment, params string[] arguments)
    {
        ProcessStartInfo start = StartInfo(arguments);
        foreach ((string name, string value) in environment)
            start.Environment[name] = value;
        return Process.Start(start)!;
    }

    /// <summary>Waits for the end and takes what was written.</summary>
    public static ToolRun Finish(Process process)
    {
        using (process)
        {
            Task<string> output = process.StandardOutput.ReadToEndAsync(), error = process.StandardError.ReadToEndAsync();
            if (!process.WaitForExit(Timeout))
            {
                process.Kill(entireProcessTree: true);
                Assert.Fail("the tool did not end");
            }
            return new ToolRun(process.ExitCode, Lines(output.Result), Lines(error.Result));
        }
    }

    // A console of Windows ends lines with two characters.
    private static string Lines(string text) => OperatingSystem.IsWindows() ? text.Replace("\r\n", "\n", StringComparison.Ordinal) : text;

    /// <summary>How it is started; outputs are caught.</summary>
    public static ProcessStartInfo StartInfo(string[] arguments) => Native is null && !OperatingSystem.IsWindows() ? StartInfo("dotnet", [Program, .. arguments]) : StartInfo(Program, arguments);

    public static ProcessStartInfo StartInfo(string file, string[] arguments) => new(file, arguments)
    {
        RedirectStandardOutput = true,
        RedirectStandardError = true,
    };
}
