namespace Async2.Analysis.Model;

/// <summary>
/// What a message tells its reader to do, in the words of the program that shows it: a tool has commands for it, a debugger others, and a
/// program of somebody's own calls the library.
/// </summary>
public interface IHostCommands
{
    /// <summary>The program: <c>run ... on a linux machine</c>.</summary>
    string Name { get; }

    /// <summary>Lists processes: <c>...   lists the .NET processes you may read</c>.</summary>
    string ListProcesses { get; }

    /// <summary>Checks a description of a layout: <c>mend it and ..., which names every fault</c>.</summary>
    string VerifyLayout { get; }

    /// <summary>Writes a full dump of a process: <c>write a new one: ...</c>.</summary>
    /// <param name="process">Its id, or <c>PID</c>.</param>
    string CollectDump(string process);

    /// <summary>Reads a target: <c>run as that user: ...</c>.</summary>
    /// <param name="target">A process id, a path, or <c>PID</c>.</param>
    string Analyze(string target);

    /// <summary>The same in its shortest form: <c>... reads it without a dump</c>.</summary>
    /// <param name="target">A process id, a path, or <c>PID</c>.</param>
    string Read(string target);

    /// <summary>The same with the rights of root: <c>run with the capability SYS_PTRACE: ...</c>.</summary>
    /// <param name="target">A process id, a path, or <c>PID</c>.</param>
    string AnalyzeAsRoot(string target);

    /// <summary>Finds out why a process cannot be read: <c>... says what is in the way</c>.</summary>
    /// <param name="process">Its id.</param>
    string Diagnose(string process);
}

/// <summary>Whose words messages have.</summary>
public static class HostCommands
{
    /// <summary>Set once, before a target is opened, by a host with commands of its own. Until then what to call in this library is said.</summary>
    public static IHostCommands Current { get; set; } = new LibraryCalls();

    private sealed class LibraryCalls : IHostCommands
    {
        public string Name => "this program";

        public string ListProcesses => "ProcessList.All";

        public string VerifyLayout => "check it with LayoutVerdict.Of";

        public string CollectDump(string process) => $"DumpWriter.Write for process {process}";

        public string Analyze(string target) => $"this program, for {target}";

        public string Read(string target) => $"Target.Open for {target}";

        public string AnalyzeAsRoot(string target) => $"sudo this program, for {target}";

        public string Diagnose(string process) => $"AccessDenial.Of for process {process}";
    }
}
