namespace Async2.Analysis.Targets.Processes;

/// <summary>
/// Connections of TCP with both ends in one process on Linux (proc(5), <c>/proc/net/tcp</c>): those on which nothing is under way, as neither end has anything to be read, or that was not taken yet;
/// and those where both ends have both.
/// </summary>
/// <param name="pid">The process. It may have ended, or belong to somebody else: then nothing is known of it.</param>
internal sealed class TcpConnections(int pid)
{
    private const string Socket = "socket:[";
    private const string Established = "01";
    private const string Empty = "00000000";

    // ::ffff:a.b.c.d, as four numbers of four bytes each.
    private const string Mapped = "0000000000000000FFFF0000";
    private const int LineLimit = 1_000_000;

    private static readonly string[] Lists = ["net/tcp", "net/tcp6"];

    /// <summary>Which of some descriptors are the other end of which, both ways.</summary>
    /// <param name="files">Descriptors of the process.</param>
    /// <param name="areFull">Both ends have something to be read, and sent what was not taken yet; otherwise neither has.</param>
    public IReadOnlyDictionary<int, int> Between(IReadOnlyCollection<int> files, bool areFull = false)
    {
        var byInode = new Dictionary<string, int>(StringComparer.Ordinal);
        foreach (int file in files)
        {
            if (ProcFiles.LinkOf(pid, file) is { } link && link.StartsWith(Socket, StringComparison.Ordinal))
                byInode.TryAdd(link[Socket.Length..^1], file);
        }
        var found = new Dictionary<int, int>();
        var byEnds = new Dictionary<(string Local, string Remote), int>();
        foreach (string[] row in byInode.Count < 2 ? [] : Rows())
        {
            if (row is not [_, var local, var remote, Established, var queues, _, _, _, _, var inode, ..] || !byInode.TryGetValue(inode, out int file) || !queues.Split(':').All(queue => queue == Empty != areFull))
                continue;
            (string, string) ends = (Plain(local), Plain(remote));
            byEnds[ends] = file;
            if (byEnds.TryGetValue((ends.Item2, ends.Item1), out int other) && other != file)
                (found[file], found[other]) = (other, file);
        }
        return found;
    }

    // "sl local_address rem_address st tx_queue:rx_queue tr:tm->when retrnsmt uid timeout inode ...", of the process's own network.
    private IEnumerable<string[]> Rows()
        => Lists.SelectMany(file => ProcFiles.LinesOf(pid, pid, file)).Take(LineLimit).Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries));

    // A socket for both versions has addresses of version 4 in their long form.
    private static string Plain(string end) => end.StartsWith(Mapped, StringComparison.Ordinal) ? end[Mapped.Length..] : end;
}
