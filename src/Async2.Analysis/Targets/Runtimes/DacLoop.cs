using Async2.Analysis.Targets.Contract;

namespace Async2.Analysis.Targets.Runtimes;

/// <summary>
/// Calls of the runtime's data access library that never return. Of a process that runs, it may read a chain of a hash table whose entries are just being moved into a bigger one: the chain
/// begins in the old table and ends in the new one. A reader in the process then looks again; the library, too, but it sees what it has kept, forever (10.0.12, dacenumerablehash.inl:
/// the table of a module's instantiated types). Nothing can end its thread, which keeps the lock of the library: only another process can read on.
/// </summary>
public static class DacLoop
{
    /// <summary>What <see cref="Leave"/> ends a process with, as a shell reports SIGXCPU: more of a processor's time was used than there is sense in.</summary>
    public const int ExitCode = 128 + Signal;

    /// <summary>SIGXCPU of Linux.</summary>
    internal const int Signal = 24;

    /// <summary>Ends this process; set where somebody starts another one then. Null elsewhere: what is asked gets an exception.</summary>
    public static Action? Leave { get; set; }

    /// <summary>What is thrown where nobody would start another process.</summary>
    /// <param name="pid">The process that was read.</param>
    internal static TargetException Error(int pid) => new(
        $"Process {pid} could not be read: {DacCrash.Text("it", Signal)}, and nothing else can be read in this process.",
        "read it in another process, while it is stopped: FreezeMode.Copy.");
}
