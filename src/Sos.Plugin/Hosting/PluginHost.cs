using Async2.Analysis.Model;

namespace Async2.Sos.Hosting;

/// <summary>
/// What messages of the library tell a debugger user to type: the tool that installed the plugin does what the debugger's own
/// commands cannot.
/// </summary>
internal sealed class PluginHost : IHostCommands
{
    public string Name => "dotnet-async2";

    public string ListProcesses => "dotnet-async2 ps";

    public string VerifyLayout => "type dotnet-async2 layout verify FILE";

    public string CollectDump(string process) => "dotnet-async2 dump collect " + process;

    public string Analyze(string target) => "dotnet-async2 analyze " + target;

    public string Read(string target) => "dotnet-async2 " + target;

    public string AnalyzeAsRoot(string target) => "sudo " + Analyze(target);

    public string Diagnose(string process) => "dotnet-async2 doctor " + process;
}
