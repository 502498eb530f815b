namespace Async2.Analysis.Model;

/// <summary>
/// The commands in messages, in the words of the program that shows them: a tool has its own commands, a debugger others, and other
/// programs call the library.
/// </summary>
public interface IHostCommands
{
    /// <summary>The program: <c>run ... on a linux machine</c>.</summary>
    string Name { get; }

    /// <summary>Lists processes: <c>...   lists the .NET processes you may read</c>.</summary>
    string ListProcesses { get; }

    /// <summary>Checks a description of a layout: <c>correct it and ..., which names every fault</c>.</summary>
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

    /// <summary>Finds out why a process cannot be read: <c>... says what prevents it</c>.</summary>
    /// <param name="process">Its id.</param>
    string Diagnose(string process);
}

/// <summary>The source of the commands in messages.</summary>
public static class HostCommands
{
    /// <summary>Set once, before a target is opened, by a host with its own commands. Until then messages name members of this library.</summary>
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
