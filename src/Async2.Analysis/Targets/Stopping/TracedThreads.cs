using System.Globalization;
using Async2.Analysis.Targets.Processes;

namespace Async2.Analysis.Targets.Stopping;

/// <summary>
/// The threads of a process that a debugger holds: nobody else can stop it, and nobody has to. Its memory can be read meanwhile;
/// of its registers the kernel shows two to everybody (proc(5), syscall), and the debugger may tell the others.
/// </summary>
internal sealed class TracedThreads
{
    private const string Held = "State:\tt";

    // How often a thread was put aside so far: one that runs, even for a moment, is put aside once more.
    private const string Switches = "voluntary_ctxt_switches:";

    // What stands for the number of the system call of a thread that is in none.
    private const string NoCall = "-1";

    private readonly int _pid;
    private readonly Dictionary<int, string> _switches = [];

    private TracedThreads(int pid) => _pid = pid;

    /// <summary>
    /// Registers by the id that the process itself gives a thread, in the kernel's order. Of a thread in a system call stack pointer and instruction pointer do: the
    /// runtime left in memory what its managed frames are found by. Threads of which too little is known are absent.
    /// </summary>
    public Dictionary<uint, byte[]> Registers { get; } = [];

    /// <summary>Threads that are absent from <see cref="Registers"/>.</summary>
    public int Unknown => _switches.Count - Registers.Count;

    /// <summary>Null unless a debugger holds every thread.</summary>
    /// <param name="pid">The process.</param>
    /// <param name="told">Registers that the debugger told, by thread id as we know it.</param>
    public static TracedThreads? Of(int pid, IReadOnlyDictionary<uint, byte[]> told)
    {
        var held = new TracedThreads(pid);
        bool isSame = ProcessThreads.SharesIds(pid);
        foreach (int thread in ProcessThreads.Of(pid))
        {
            if (SwitchesOf(pid, thread) is not { } switches)
                return null;
            held._switches[thread] = switches;
            if ((told.GetValueOrDefault((uint)thread) ?? FromCall(pid, thread)) is { } registers)
                held.Registers[ProcessThreads.OwnId(pid, thread, isSame)] = registers;
        }
        return held._switches.Count > 0 ? held : null;
    }

    /// <summary>Whether no thread has run since, and none has come or gone.</summary>
    public bool WereStopped()
    {
        IReadOnlyList<int> threads = ProcessThreads.Of(_pid);
        return threads.Count == _switches.Count && threads.All(thread => _switches.TryGetValue(thread, out string? before) && before == SwitchesOf(_pid, thread));
    }

    // Null for a thread that no debugger holds, or that is gone.
    private static string? SwitchesOf(int pid, int thread)
    {
        string[] lines = ProcFiles.LinesOf(pid, thread, "status");
        return lines.Any(line => line.StartsWith(Held, StringComparison.Ordinal))
            ? string.Join(' ', lines.Where(line => line.Contains(Switches, StringComparison.Ordinal))) : null;
    }

    // "202 0x1 0x2 0x3 0x4 0x5 0x6 SP IP"
    private static byte[]? FromCall(int pid, int thread)
        => ProcFiles.LinesOf(pid, thread, "syscall") is [var line] && line.Split(' ') is [not NoCall, _, _, _, _, _, _, var stack, var code]
            && Hex(stack) is { } stackPointer && Hex(code) is { } instructionPointer
            ? ThreadRegisters.Of(stackPointer, instructionPointer) : null;

    private static ulong? Hex(string word)
        => word.StartsWith("0x", StringComparison.Ordinal) && ulong.TryParse(word.AsSpan(2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ulong number) ? number : null;
}
