using System.Globalization;
using System.Text.Json;
using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Labels;
using Async2.Dump.Cli;
using Async2.Dump.Processes;
using Async2.Dump.Samples;

namespace Async2.Dump.Agents;

/// <summary>
/// What was read of targets: each once, in a process of its own (<c>snapshot TARGET</c>), and asked as often as one likes. Of the last ones the server
/// keeps all, in memory and in a private folder that it deletes at its end.
/// </summary>
/// <param name="options">What the person who started the server allows.</param>
/// <param name="allowed">The same for targets.</param>
internal sealed class Captures(AgentOptions options, AllowList allowed) : IDisposable
{
    private const int Kept = 8;

    private readonly SemaphoreSlim _gate = new(1);
    private readonly ScratchFolder _folder = new("async2-mcp-");
    private readonly List<Capture> _captures = [];
    private int _taken;

    public AllowList Allowed => allowed;

    /// <summary>Reads a target, or finds what was read of it.</summary>
    /// <param name="target">A process id or name, a file, or the id of a capture: <c>c1</c>.</param>
    /// <param name="cancellation">When set, the process is let go.</param>
    /// <exception cref="AgentException">It may not or cannot be read.</exception>
    public async Task<Capture> Of(string target, CancellationToken cancellation)
    {
        if (target.Trim().Length == 0)
            throw new AgentException("no target is given", "name a process id, a process name, a dump or snapshot file, or a capture such as c1");
        if (IsId(target))
            return Find(target);
        await _gate.WaitAsync(cancellation).ConfigureAwait(false);
        try
        {
            (string name, string? program) = await Resolve(target, cancellation).ConfigureAwait(false);
            string id = string.Create(CultureInfo.InvariantCulture, $"c{++_taken}"), file = _folder.PathOf(id + SnapshotFile.Extension);
            if (SnapshotFile.Is(name))
                return Keep(new(id, TargetKind.Snapshot, name, SnapshotFile.Read(name)));
            ToolChild child = await ToolChild.Run(["snapshot", name, "-o", file, .. Words()], cancellation).ConfigureAwait(false);
            return child.ExitCode is ExitCodes.Fine or ExitCodes.Partial && File.Exists(file) ? Keep(new(id, program is null ? TargetKind.Dump : TargetKind.Process, file, SnapshotFile.Read(file)) { Program = program }) : throw child.Failure();
        }
        finally
        {
            _gate.Release();
        }
    }

    /// <summary>What was read before, by its id.</summary>
    /// <exception cref="AgentException">There is none, or no longer.</exception>
    public Capture Find(string id)
    {
        lock (_captures)
            return _captures.Find(capture => capture.Id == id) ?? throw new AgentException($"there is no capture {id}, or no longer: the last {Kept} are kept", "call analyze again, and use the id that it returns");
    }

    /// <summary>Processes that may be read.</summary>
    public async Task<IReadOnlyList<ProcessRow>> Processes(CancellationToken cancellation)
    {
        allowed.CheckAny();
        return [.. (await List([], cancellation).ConfigureAwait(false)).Where(row => row.Pid != Environment.ProcessId && allowed.Has(row.Pid, row.Name))];
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _gate.Dispose();
        _folder.Dispose();
    }

    private static bool IsId(string target) => target.Length > 1 && target[0] == 'c' && target.AsSpan(1).IndexOfAnyExceptInRange('0', '9') < 0;

    private static async Task<IReadOnlyList<ProcessRow>> List(string[] words, CancellationToken cancellation)
    {
        ToolChild child = await ToolChild.Run(["ps", "--format", "json", .. words], cancellation).ConfigureAwait(false);
        return child.ExitCode == ExitCodes.Fine ? [.. JsonSerializer.Deserialize(child.Output, ProcessJson.Default.ProcessDocument)!.Processes] : throw child.Failure();
    }

    private string[] Words() => [.. options.Locals ? (string[])["--locals"] : [], .. options.Values switch { ShownValues.None => (string[])["--redact"], ShownValues.All => ["--show-values"], _ => [] }];

    // A number is a process, as for the tool itself; a name that is also a file's is the file's.
    private async Task<(string Name, string? Program)> Resolve(string target, CancellationToken cancellation)
    {
        bool isPid = target.AsSpan().IndexOfAnyExceptInRange('0', '9') < 0;
        if (!isPid && (File.Exists(target) || target.Contains(Path.DirectorySeparatorChar, StringComparison.Ordinal)))
            return (allowed.ToRead(target), null);
        allowed.CheckAny();
        // An option is nobody's name.
        if (target[0] == '-')
            throw new AgentException("this is not a target", "name a process id, a process name, a dump or snapshot file, or a capture such as c1");
        IReadOnlyList<ProcessRow> found = await List([target], cancellation).ConfigureAwait(false);
        if (found is not [{ } process])
            throw new AgentException($"{found.Count} processes have this name: {string.Join(", ", found.Select(row => row.Pid).Order())}", "name one of them by its id");
        allowed.Check(process.Pid, process.Name);
        return (process.Pid.ToString(CultureInfo.InvariantCulture), process.Name);
    }

    private Capture Keep(Capture capture)
    {
        lock (_captures)
        {
            _captures.Add(capture);
            if (_captures.Count > Kept)
            {
                if (Path.GetFileName(_captures[0].File) == _captures[0].Id + SnapshotFile.Extension)
                    File.Delete(_folder.PathOf(_captures[0].Id + SnapshotFile.Extension));
                _captures.RemoveAt(0);
            }
        }
        return capture;
    }
}

/// <summary>One target at one moment.</summary>
/// <param name="Id">By which the agent asks again: <c>c1</c>.</param>
/// <param name="Kind">What it was read of.</param>
/// <param name="File">The snapshot.</param>
/// <param name="Snapshot">What is in it.</param>
internal sealed record Capture(string Id, TargetKind Kind, string File, SavedSnapshot Snapshot)
{
    /// <summary>Name of the program of a process; null for a file.</summary>
    public string? Program { get; init; }
}
