using System.Globalization;
using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Targets.Processes;

/// <summary>Facts about processes from <c>/proc</c>. A process may end at any moment: then the result is null.</summary>
internal static class ProcFiles
{
    private const string RuntimeLibrary = "/libcoreclr.so";

    /// <summary>
    /// The ids in <c>/proc</c> are not those that this process may use: it runs in a pid namespace of its own, and sees
    /// the <c>/proc</c> of an outer one (pid_namespaces(7)). Such an id would refer to another process, or none.
    /// </summary>
    public static bool IsForeign { get; } = OperatingSystem.IsLinux() && OwnId() is { } id && id != Environment.ProcessId.ToString(CultureInfo.InvariantCulture);

    /// <summary>All process ids.</summary>
    public static IEnumerable<int> Pids()
    {
        foreach (string folder in Directory.EnumerateDirectories("/proc"))
        {
            if (int.TryParse(Path.GetFileName(folder), NumberStyles.None, CultureInfo.InvariantCulture, out int pid))
                yield return pid;
        }
    }

    /// <summary>
    /// The fields of <c>/proc/PID/stat</c> after the name, beginning with the state, the third (proc(5)); null if the process has ended.
    /// </summary>
    /// <param name="process"><c>PID</c>, or <c>PID/task/TID</c> for a thread.</param>
    public static string[]? StatFields(string process)
    {
        try
        {
            // "pid (name) state ...": the name may contain anything, so the next fields begin after the last parenthesis.
            string stat = File.ReadAllText($"/proc/{process}/stat");
            return stat[(stat.LastIndexOf(')') + 1)..].Split(' ', StringSplitOptions.RemoveEmptyEntries);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>Path of the runtime that a process has mapped; null if it has none or may not be read.</summary>
    public static string? RuntimePath(int pid) => Read(pid, "maps", path =>
    {
        foreach (string line in File.ReadLines(path))
        {
            string file = MemoryMapping.WithoutDeleted(line);
            if (file.EndsWith(RuntimeLibrary, StringComparison.Ordinal))
                return file[file.IndexOf('/', StringComparison.Ordinal)..];
        }
        return null;
    });

    /// <summary>Whether a file that a process has mapped has been removed since, or replaced by another one of that name.</summary>
    public static bool HasLost(int pid, string file)
        => Read(pid, "maps", path => File.ReadLines(path).Any(line => line.EndsWith(file + MemoryMapping.DeletedMark, StringComparison.Ordinal)) ? "" : null) is not null;

    /// <summary>Whether a process is certainly not a .NET process: its libraries are visible, and no runtime is among them or inside it.</summary>
    public static bool IsNative(int pid)
        => Read(pid, "maps", path => File.ReadLines(path).Any() ? "" : null) is not null && RuntimePath(pid) is null && !DiagnosticSockets.Has(pid);

    /// <summary>A process with its usual names.</summary>
    public static RunningProcess? Describe(int pid)
    {
        string[] arguments = Arguments(pid);
        string? program = Program(arguments) ?? Executable(pid) ?? Comm(pid);
        return program is null ? null : new RunningProcess(pid, program, string.Join(' ', arguments), Version(RuntimePath(pid))) { Started = Started(pid) };
    }

    /// <summary>When it was started, in ticks since the machine's start; null if it has ended.</summary>
    public static long? Started(int pid)
    {
        // Of proc(5)'s stat the 22nd field; the first here is the third.
        const int startTime = 22 - 3;
        return StatFields(pid.ToString(CultureInfo.InvariantCulture)) is { Length: > startTime } fields && long.TryParse(fields[startTime], NumberStyles.None, CultureInfo.InvariantCulture, out long ticks) ? ticks : null;
    }

    /// <summary>It is about to end: its memory may be gone, while it is still in the list of processes.</summary>
    public static bool IsEnding(int pid)
    {
        // Of proc(5)'s stat the 9th field; the first here is the third. PF_EXITING of linux/sched.h.
        const int flags = 9 - 3;
        const uint exiting = 0x4;
        return StatFields(pid.ToString(CultureInfo.InvariantCulture)) is { Length: > flags } fields && uint.TryParse(fields[flags], NumberStyles.None, CultureInfo.InvariantCulture, out uint known) && (known & exiting) != 0;
    }

    /// <summary>Who started it, or who took it over from there; null if it has ended.</summary>
    public static int? Parent(int pid) => StatFields(pid.ToString(CultureInfo.InvariantCulture)) is { Length: > 1 } fields && int.TryParse(fields[1], NumberStyles.None, CultureInfo.InvariantCulture, out int parent) ? parent : null;

    /// <summary>Further names besides <see cref="RunningProcess.Name"/>: the executable's, and the one in <c>ps</c> and <c>top</c>.</summary>
    public static IEnumerable<string> OtherNames(int pid) => new[] { Executable(pid), Comm(pid) }.OfType<string>();

    /// <summary>A line of <c>/proc/PID/status</c>, <c>TracerPid</c>: the text after the colon, or null.</summary>
    public static string? Status(int pid, string field) => Read(pid, "status", path =>
        File.ReadLines(path).FirstOrDefault(line => line.StartsWith(field + ":", StringComparison.Ordinal))?[(field.Length + 1)..].Trim());

    /// <summary>The dll that the <c>dotnet</c> host runs, without extension; null for programs with their own executable.</summary>
    public static string? Program(IReadOnlyList<string> arguments)
    {
        if (arguments.Count == 0 || Path.GetFileName(arguments[0]) != "dotnet")
            return null;
        string? dll = arguments.Skip(1).FirstOrDefault(argument => argument.EndsWith(".dll", StringComparison.OrdinalIgnoreCase));
        return dll is null ? null : Path.GetFileNameWithoutExtension(dll);
    }

    /// <summary>Version in a path like <c>.../Microsoft.NETCore.App/10.0.12/libcoreclr.so</c>; null elsewhere.</summary>
    public static string? Version(string? runtimePath)
    {
        string? folder = Path.GetDirectoryName(runtimePath);
        return Path.GetFileName(Path.GetDirectoryName(folder)) == "Microsoft.NETCore.App" ? Path.GetFileName(folder) : null;
    }

    /// <summary>Whether a process and this one are in the same namespace of a kind (namespaces(7)): <c>mnt</c>, <c>time</c>.</summary>
    public static bool IsInOurNamespace(int pid, string kind)
    {
        try
        {
            // "mnt:[4026531841]"; null on kernels without that kind.
            return new FileInfo($"/proc/self/ns/{kind}").LinkTarget == new FileInfo(FormattableString.Invariant($"/proc/{pid}/ns/{kind}")).LinkTarget;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    /// <summary>The temporary folder of a process, a path of its own file system: its TMPDIR, without which it is <c>/tmp</c>.</summary>
    public static string TemporaryFolder(int pid)
    {
        const string variable = "TMPDIR=";
        string? set = Read(pid, "environ", File.ReadAllText)?.Split('\0').FirstOrDefault(word => word.StartsWith(variable, StringComparison.Ordinal))?[variable.Length..];
        return set is ['/', ..] && set.TrimEnd('/') is { Length: > 0 } folder ? folder : "/tmp";
    }

    /// <summary>The user of a process, and the user who is root in its user namespace; fewer if unknown.</summary>
    public static IEnumerable<uint> Owners(int pid)
    {
        // "0 100000 65536": first number there, first number here, how many (user_namespaces(7)).
        string[] map = Read(pid, "uid_map", File.ReadAllText)?.Split([' ', '\n'], StringSplitOptions.RemoveEmptyEntries) ?? [];
        string?[] users = [Status(pid, "Uid")?.Split('\t').ElementAtOrDefault(1), map is ["0", var root, ..] ? root : null];
        foreach (string? user in users)
        {
            if (uint.TryParse(user, NumberStyles.None, CultureInfo.InvariantCulture, out uint id))
                yield return id;
        }
    }

    /// <summary>Text for the owner of a file who is neither root nor this user.</summary>
    public static string UserText(uint owner) => UserText(owner, Read(Environment.ProcessId, "uid_map", File.ReadAllText));

    /// <summary>The same, with a map of users (user_namespaces(7)); null if there is none.</summary>
    public static string UserText(uint owner, string? map)
    {
        // "0 100000 65536": first number here, first number outside, how many. A user without a number here has the number of nobody.
        ulong[][] ranges = [.. (map ?? "").Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries))
            .Where(words => words.Length == 3).Select(words => words.Select(word => ulong.TryParse(word, NumberStyles.None, CultureInfo.InvariantCulture, out ulong n) ? n : 0).ToArray())];
        return ranges.Length == 0 || ranges.Any(range => owner >= range[0] && owner - range[0] < range[2])
            ? string.Create(CultureInfo.InvariantCulture, $"another user ({owner})")
            : "a user without a number in this user namespace (a rootless container), which may be root";
    }

    /// <summary>A small file about one thread, <c>status</c>; no lines if the thread has ended or may not be read.</summary>
    public static string[] LinesOf(int pid, int thread, string file)
        => Read(pid, string.Create(CultureInfo.InvariantCulture, $"task/{thread}/{file}"), File.ReadAllText)?.Split('\n', StringSplitOptions.RemoveEmptyEntries) ?? [];

    /// <summary>What a process has open under a number: a path, <c>pipe:[4711]</c>, <c>socket:[4712]</c>; null if there is nothing, or it may not be read.</summary>
    public static string? LinkOf(int pid, int file)
        => Read(pid, string.Create(CultureInfo.InvariantCulture, $"fd/{file}"), path => new FileInfo(path).LinkTarget);

    /// <summary>Numbers under which a process has something open; none if it has ended or may not be read.</summary>
    public static IEnumerable<int> Descriptors(int pid)
        => (Read(pid, "fd", path => string.Join('\n', Directory.EnumerateFileSystemEntries(path).Select(Path.GetFileName))) ?? "").Split('\n')
            .Select(name => int.TryParse(name, NumberStyles.None, CultureInfo.InvariantCulture, out int file) ? file : -1).Where(file => file >= 0);

    /// <summary>What has been opened under a number can be written to; false also if that may not be read.</summary>
    public static bool IsWritable(int pid, int file) => Access(pid, file) is '1' or '2' or '5' or '6';

    /// <summary>The same, read from.</summary>
    public static bool IsReadable(int pid, int file) => Access(pid, file) is '0' or '2' or '4' or '6';

    // The last octal digit of its flags (open(2)).
    private static char? Access(int pid, int file)
        => Read(pid, string.Create(CultureInfo.InvariantCulture, $"fdinfo/{file}"), File.ReadAllText)?.Split('\n').FirstOrDefault(line => line.StartsWith("flags:", StringComparison.Ordinal)) is { Length: > 0 } flags ? flags[^1] : null;

    // The kernel uses the ids of this /proc's namespace.
    private static string? OwnId()
    {
        try
        {
            return new FileInfo("/proc/self").LinkTarget;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>Command line of a process, program first; empty if it cannot be read.</summary>
    public static string[] Arguments(int pid)
        => Read(pid, "cmdline", File.ReadAllText)?.Split('\0', StringSplitOptions.RemoveEmptyEntries) ?? [];

    /// <summary>Its name in <c>ps</c> and <c>top</c>; null if it has ended.</summary>
    public static string? Comm(int pid) => Read(pid, "comm", File.ReadAllText)?.TrimEnd('\n');

    private static string? Executable(int pid) => Read(pid, "exe", path => Path.GetFileName(new FileInfo(path).LinkTarget));

    private static string? Read(int pid, string file, Func<string, string?> read)
    {
        try
        {
            return read($"/proc/{pid.ToString(CultureInfo.InvariantCulture)}/{file}");
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
