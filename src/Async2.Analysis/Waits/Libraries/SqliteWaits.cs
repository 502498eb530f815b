using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;

namespace Async2.Analysis.Waits.Libraries;

/// <summary>
/// Microsoft.Data.Sqlite (8.0 to 10.0): a command that another connection keeps from the database tries again until its time limit, and the thread sleeps between two tries
/// (SqliteDataReader.NextResult), also in methods that are called asynchronous.
/// </summary>
internal sealed class SqliteWaits(WaitReaderContext all) : IWaitFamily<SqliteWaits>
{
    private const string Reader = "Microsoft.Data.Sqlite.SqliteDataReader";

    private readonly WaitFactList _facts = new();

    public static SqliteWaits Open(WaitReaderContext all) => new(all);

    /// <inheritdoc/>
    public BlockingReader? ReaderOf(BlockingKind kind) => kind == BlockingKind.LockedDatabase ? (item, _) => Of(item) : null;

    private WaitReason? Of(HeapObject reader)
    {
        if (TypeLookup.Of(all.Target.Runtime, reader.MethodTable())?.Name != Reader)
            return null;
        HeapObject command = all.Fields.Follow(reader, "_command");
        if (all.Fields.Text(all.Fields.Follow(command, "_connection", ObjectFields.Behind("PoolGroup"), ObjectFields.Behind("ConnectionOptions")), "_dataSource") is { Length: > 0 } file)
            _facts.AddText(WaitFactKey.Host, file);
        if (all.Fields.Text(command, "_commandText") is { Length: > 0 } sql)
            _facts.AddText(WaitFactKey.Sql, all.Whole ? sql : NpgsqlWaits.FirstLine(sql));
        // Its own time limit ends it, as that of a timer.
        return new(WaitKind.Timer, "SQLite lock") { Shared = _facts.Take() };
    }
}
