using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;

namespace Async2.Analysis.Snapshots;

/// <summary>Writes and reads which waits nothing can end, and which operations nobody waits for.</summary>
internal static class OrphanColumns
{
    /// <param name="facts">Have them.</param>
    /// <param name="columns">Where they go.</param>
    public static void Write(GraphFacts facts, ColumnWriter columns)
    {
        columns.Count(facts.Orphans.Count);
        columns.Near([.. facts.Orphans.Select(row => row.Awaited)]);
        columns.Near([.. facts.Orphans.Select(row => row.Node)]);
        foreach (OrphanRow row in facts.Orphans)
            columns.Byte((byte)row.Fact);
        columns.Count(facts.Lost.Count);
        columns.Near([.. facts.Lost.Select(row => row.Node)]);
        foreach (LostRow row in facts.Lost)
            columns.Byte((byte)row.Fact);
    }

    /// <summary>Writes who completes promises.</summary>
    public static void WriteReplies(IReadOnlyList<ReplyRow> replies, ColumnWriter columns)
    {
        columns.Count(replies.Count);
        columns.Near([.. replies.Select(row => row.Promise)]);
        columns.Near([.. replies.Select(row => row.Mailbox)]);
        columns.Near([.. replies.Select(row => row.Node)]);
        columns.Near([.. replies.Select(row => row.Place)]);
        foreach (ReplyRow row in replies)
            columns.Byte((byte)row.Confidence);
    }

    /// <param name="part">The part.</param>
    /// <param name="nodes">How many operations and thread segments there are.</param>
    /// <param name="places">How many places of frames there are.</param>
    /// <param name="kind">How it is known of all of them.</param>
    public static IReadOnlyList<ReplyRow> ReadReplies(ColumnReader part, int nodes, int places, ReplyKind kind)
    {
        int count = part.Count();
        ulong[] promises = part.NearAddresses(count), mailboxes = part.NearAddresses(count);
        int[] numbers = part.Near(count, 0, nodes), at = part.Near(count, 0, places);
        ReplyRow[] replies = [.. promises.Select((promise, i) => new ReplyRow(promise, numbers[i], at[i], mailboxes[i], part.Enum<Confidence>(Enum.GetValues<Confidence>().Length)) { Kind = kind })];
        part.End();
        return replies;
    }

    /// <summary>Writes promises that no code completes, and full channels that none reads.</summary>
    public static void WriteNobodys(IReadOnlyList<ulong> promises, ColumnWriter columns)
    {
        columns.Count(promises.Count);
        columns.Near([.. promises]);
    }

    /// <param name="part">The part.</param>
    public static IReadOnlyList<ulong> ReadNobodys(ColumnReader part)
    {
        ulong[] promises = part.NearAddresses(part.Count());
        part.End();
        return promises;
    }

    /// <summary>The facts with what is in the part.</summary>
    /// <param name="part">The part.</param>
    /// <param name="facts">The others of the same file.</param>
    /// <param name="graph">Its operations and thread segments.</param>
    public static GraphFacts Read(ColumnReader part, GraphFacts facts, AsyncGraph graph)
    {
        int count = part.Count();
        ulong[] awaited = part.NearAddresses(count);
        int[] nodes = part.Near(count, 0, graph.Count);
        OrphanRow[] orphans = [.. awaited.Select((address, i) => new OrphanRow(address, nodes[i], part.Enum<OrphanFact>((int)OrphanFact.OnlyBlocked + 1)))];
        int[] alone = part.Near(part.Count(), 0, graph.Operations);
        LostRow[] lost = [.. alone.Select(node => new LostRow(node, part.Enum<LostFact>((int)LostFact.Unreachable + 1)))];
        part.End();
        return facts with { Orphans = orphans, Lost = lost };
    }
}
