using Async2.Analysis.Model;

namespace Async2.Dump.Cli;

/// <summary>What messages of the library tell the user to type.</summary>
internal sealed class ToolHost : IHostCommands
{
    public string Name => "dotnet-async2";

    public string ListProcesses => "dotnet-async2 ps";

    public string VerifyLayout => "type dotnet-async2 layout verify FILE";

    /// <summary>From now on messages name the tool's commands.</summary>
    public static void Register() => HostCommands.Current = new ToolHost();

    public string CollectDump(string process) => "dotnet-async2 dump collect " + process;

    public string Analyze(string target) => "dotnet-async2 analyze " + target;

    public string Read(string target) => "dotnet-async2 " + target;

    public string AnalyzeAsRoot(string target) => OperatingSystem.IsWindows() ? Analyze(target) + " in a terminal that runs as administrator" : "sudo " + Analyze(target);

    public string Diagnose(string process) => "dotnet-async2 doctor " + process;
}
