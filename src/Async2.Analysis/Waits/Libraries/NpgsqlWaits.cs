using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;

namespace Async2.Analysis.Waits.Libraries;

/// <summary>
/// Npgsql: a channel whose readers wait for a connection is a pool, and what is received on a connector's socket is the answer to
/// its command.
/// </summary>
internal sealed class NpgsqlWaits(WaitReaderContext all) : IWaitFamily<NpgsqlWaits>
{
    private static readonly LibraryObject Pool = new("Npgsql.PoolingDataSource");
    private static readonly LibraryObject Connector = new("Npgsql.Internal.NpgsqlConnector");

    public static IReadOnlyList<LibraryObject> Objects { get; } = [Pool, Connector];

    private const int ConnectorLimit = 10_000;
    private const int HolderLimit = 16;
    private const int LineLimit = 120;

    private readonly WaitFactList _facts = new();
    private Dictionary<ulong, HeapObject>? _pools;
    private Dictionary<ulong, HeapObject>? _connectors;

    public static NpgsqlWaits Open(WaitReaderContext all) => new(all);

    /// <summary>What a reader of a channel waits for, when that is a pool; null if it is any other channel.</summary>
    /// <param name="channel">The channel.</param>
    /// <param name="waiting">How many wait.</param>
    public WaitReason? OfChannel(HeapObject channel, int waiting)
    {
        _pools ??= all.Library.By(Pool, pool => all.Fields.Follow(pool, "_idleConnectorReader", "_parent"));
        return _pools.TryGetValue(channel.Address, out HeapObject pool) ? OfPool(pool, waiting) : null;
    }

    /// <summary>The SQL whose answer a socket waits for: its first line, or the whole; null if it is not one of Npgsql's.</summary>
    public string? SqlOf(HeapObject socket)
    {
        _connectors ??= all.Library.By(Connector, connector => all.Fields.Follow(connector, "_socket"));
        return _connectors.TryGetValue(socket.Address, out HeapObject connector) && CommandOf(connector) is { } sql ? sql : null;
    }

    /// <summary>The first line of SQL, with a mark if there is more; of a first line itself.</summary>
    public static string FirstLine(string sql)
    {
        string text = sql.TrimStart();
        int end = text.AsSpan().IndexOfAny('\r', '\n');
        string line = (end < 0 ? text : text[..end]).TrimEnd();
        bool isCut = line.Length > LineLimit;
        return (isCut ? line[..LineLimit] : line) + (end >= 0 || isCut ? " ..." : "");
    }

    private WaitReason OfPool(HeapObject pool, int waiting)
    {
        HeapObject[] connectors =
        [
            .. ArrayLayout.ReadReferences(all.Target.Memory, all.Fields.Follow(pool, "Connectors").Address, ConnectorLimit)
                .Where(address => address != 0).Select(all.At),
        ];
        HeapObject[] used = [.. connectors.Where(c => all.Fields.Follow(c, ObjectFields.Behind("Connection")).Address != 0)];
        _facts.AddText(WaitFactKey.Host, HostOf(pool));
        if (all.Fields.Int32(pool, ObjectFields.Behind("MaxConnections")) is { } most)
            _facts.Add(WaitFactKey.InUse, used.Length, of: most);
        _facts.Add(WaitFactKey.Waiting, waiting);
        AddHolders(used);
        return new(WaitKind.Pool, "Npgsql", WaitAction.Connection) { Resource = pool.Address, Shared = _facts.Take() };
    }

    private string? HostOf(HeapObject pool)
    {
        HeapObject settings = all.Fields.Follow(pool, ObjectFields.Behind("Settings"));
        return all.Fields.Text(settings, "_host") is not { Length: > 0 } host ? null
            : all.Fields.Int32(settings, "_port") is { } port ? FormattableString.Invariant($"{host}:{port}") : host;
    }

    private void AddHolders(HeapObject[] used)
    {
        (string? Name, int Count)[] holders =
        [
            .. used.Select(CommandOf).GroupBy(name => name)
                .Select(c => (c.Key, Count: c.Count())).OrderByDescending(c => c.Count).ThenBy(c => c.Key, StringComparer.Ordinal),
        ];
        foreach ((string? name, int count) in holders.Take(HolderLimit))
            _facts.Add(WaitFactKey.HeldByCommand, count, name);
        if (holders.Length > HolderLimit)
            _facts.Add(WaitFactKey.More);
    }

    private string? CommandOf(HeapObject connector)
        => all.Fields.Text(all.Fields.Follow(connector, "_currentCommand"), "_commandText") is { Length: > 0 } sql ? all.Whole ? sql : FirstLine(sql) : null;
}
