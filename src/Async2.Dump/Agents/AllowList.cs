using System.Globalization;
using Async2.Analysis.Targets.Processes;

namespace Async2.Dump.Agents;

/// <summary>
/// What an agent may read. It acts on text that it finds anywhere, so it gets no more than the person who started the server named: processes by id,
/// name or <c>*</c>, and files in folders, links followed.
/// </summary>
internal sealed class AllowList
{
    private const string Everything = "*";

    // With the moment at which each began: another process that gets the same id later is not meant.
    private readonly Dictionary<int, DateTime?> _pids = [];
    private readonly HashSet<string> _names = new(StringComparer.Ordinal);
    private readonly string[] _folders;
    private readonly bool _isAll;

    /// <param name="options">What the person allows.</param>
    public AllowList(AgentOptions options)
    {
        foreach (string word in options.Processes)
        {
            if (word == Everything)
                _isAll = true;
            else if (int.TryParse(word, NumberStyles.None, CultureInfo.InvariantCulture, out int pid))
                _pids[pid] = StartOf(pid);
            else
                _names.Add(word);
        }
        _folders = [.. options.Folders.Select(folder => RealPath(folder))];
    }

    private string ProcessFix => _isAll || _pids.Count + _names.Count > 0
        ? "list_processes shows which ones may be read; others have to be allowed by the person who starts this server: --process PID, NAME or '*'"
        : "the person who starts this server has to allow some: dotnet-async2 mcp --process PID, --process NAME, or --process '*' for all of the user's";

    /// <summary>Whether a process may be read.</summary>
    public bool Has(int pid, string name) => _isAll || _names.Contains(name) || (_pids.TryGetValue(pid, out DateTime? start) && start == StartOf(pid));

    /// <exception cref="AgentException">It may not.</exception>
    public void Check(int pid, string name)
    {
        if (!Has(pid, name))
            throw new AgentException($"process {pid} is not among those that may be read here", ProcessFix);
    }

    /// <summary>Whether any process may be read.</summary>
    /// <exception cref="AgentException">None may.</exception>
    public void CheckAny()
    {
        if (!_isAll && _pids.Count + _names.Count == 0)
            throw new AgentException("no process may be read here", ProcessFix);
    }

    /// <summary>A file that may be read, by its real path.</summary>
    /// <exception cref="AgentException">It may not, or it does not exist.</exception>
    public string ToRead(string path) => File.Exists(path) ? Within(RealPath(path)) : throw NotAllowed();

    /// <summary>A new file that may be written, by its real path.</summary>
    /// <exception cref="AgentException">It may not, or there is one already.</exception>
    public string ToWrite(string path)
    {
        string full = Path.GetFullPath(path);
        string file = Within(Path.Join(RealPath(Path.GetDirectoryName(full) ?? full), Path.GetFileName(full)));
        return !Path.Exists(file) && new FileInfo(file).LinkTarget is null ? file : throw new AgentException("there is a file with this name already: nothing is replaced", "choose another name");
    }

    // Whether it exists elsewhere is nobody's business.
    private string Within(string path)
        => Array.Exists(_folders, folder => path.StartsWith(Path.TrimEndingDirectorySeparator(folder) + Path.DirectorySeparatorChar, StringComparison.Ordinal)) ? path : throw NotAllowed();

    private AgentException NotAllowed() => new(
        "this file does not exist, or is in no folder that may be read here",
        _folders.Length > 0 ? "name a file in an allowed folder, by its full path" : "the person who starts this server has to allow folders: dotnet-async2 mcp --folder DIR");

    private static DateTime? StartOf(int pid) => ProcessList.Find(pid) is null ? null : StartTime(pid);

    private static DateTime? StartTime(int pid)
    {
        try
        {
            using var process = System.Diagnostics.Process.GetProcessById(pid);
            return process.StartTime;
        }
        catch (Exception e) when (e is ArgumentException or InvalidOperationException or System.ComponentModel.Win32Exception or NotSupportedException)
        {
            return null;
        }
    }

    // All links on the way are followed, not only the last one.
    private static string RealPath(string path)
    {
        string full = Path.GetFullPath(path), real = Path.GetPathRoot(full)!;
        foreach (string part in full[real.Length..].Split(Path.DirectorySeparatorChar, StringSplitOptions.RemoveEmptyEntries))
        {
            string next = Path.Join(real, part);
            real = Resolved(next) ?? next;
        }
        return real;
    }

    private static string? Resolved(string path)
    {
        try
        {
            return new FileInfo(path).ResolveLinkTarget(returnFinalTarget: true) is { } target ? RealPath(target.FullName) : null;
        }
        catch (IOException)
        {
            throw new AgentException("a link in this path leads nowhere, or to itself", "name the file itself");
        }
    }
}
