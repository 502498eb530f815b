using System.Diagnostics;

namespace Async2.Tests.Support.Programs;

/// <summary>The built tool, run as a user runs it: as a process, its outputs caught apart.</summary>
/// <param name="ExitCode">What the shell sees.</param>
/// <param name="Output">Standard output.</param>
/// <param name="Error">Standard error.</param>
internal sealed record ToolRun(int ExitCode, string Output, string Error)
{
    private static readonly TimeSpan Timeout = TimeSpan.FromMinutes(1);

    public static readonly string Program = Path.Join(AppContext.BaseDirectory, "dotnet-async2.dll");

    public static ToolRun Of(params string[] arguments) => Finish(Start(arguments));

    /// <summary>Runs another program, or a command of <c>dotnet</c> itself, in the same way.</summary>
    public static ToolRun OfDotnet(params string[] arguments) => Finish(Process.Start(StartInfo("dotnet", arguments))!);

    /// <summary>Runs it with an environment variable.</summary>
    public static ToolRun With(string variable, string value, params string[] arguments)
    {
        ProcessStartInfo start = StartInfo("dotnet", [Program, .. arguments]);
        start.Environment[variable] = value;
        return Finish(Process.Start(start)!);
    }

    /// <summary>Runs a line of shell in which <c>$TOOL</c> is the tool.</summary>
    public static ToolRun Shell(string line)
    {
        ProcessStartInfo start = StartInfo("/bin/sh", ["-c", line]);
        start.Environment["TOOL"] = "dotnet " + Program;
        return Finish(Process.Start(start)!);
    }

    public static Process Start(params string[] arguments) => Process.Start(StartInfo("dotnet", [Program, .. arguments]))!;

    /// <summary>Starts it with environment variables.</summary>
    public static Process Start((string Name, string Value)[] environment, params string[] arguments)
    {
        ProcessStartInfo start = StartInfo("dotnet", [Program, .. arguments]);
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
            return new ToolRun(process.ExitCode, output.Result, error.Result);
        }
    }

    private static ProcessStartInfo StartInfo(string file, string[] arguments) => new(file, arguments)
    {
        RedirectStandardOutput = true,
        RedirectStandardError = true,
    };
}
