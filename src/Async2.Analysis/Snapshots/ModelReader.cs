using System.Text.Json;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Model.Labels;

namespace Async2.Analysis.Snapshots;

/// <summary>
/// Reads a model from the parts of a snapshot file. Every number is checked against the range that it refers to, so that users of the model
/// need no checks.
/// </summary>
internal sealed class ModelReader
{
    private readonly Dictionary<string, byte[]> _parts;
    private readonly SnapshotTables _tables;

    private ModelReader(Dictionary<string, byte[]> parts)
    {
        _parts = parts;
        _tables = Json(SnapshotFormat.Tables, bytes => JsonSerializer.Deserialize(bytes, SnapshotJson.Default.SnapshotTables));
    }

    /// <summary>The model of a file, with its variables if it has them.</summary>
    /// <exception cref="SnapshotFormatException">The file is not a snapshot, or it is damaged.</exception>
    public static (AsyncModel Model, IFrameVariables? Variables) Read(Stream file)
    {
        try
        {
            Dictionary<string, byte[]> parts = PartFile.Read(file);
            var reader = new ModelReader(parts);
            return (reader.Model(), parts.ContainsKey(SnapshotFormat.Variables)
                ? new StoredVariables(reader.Json(SnapshotFormat.Variables, bytes => JsonSerializer.Deserialize(bytes, SnapshotJson.Default.ListVariablesRecord)))
                : null);
        }
        // An unexpected null or an unknown name: one sentence is enough.
        catch (Exception e) when (e is NullReferenceException or ArgumentException or InvalidOperationException or FormatException or OverflowException)
        {
            throw new SnapshotFormatException("its tables are damaged", e);
        }
    }

    private AsyncModel Model()
    {
        TableCheck.Check(_tables);
        FrameLinks links = FrameColumns();
        NodeTable nodes = Nodes(links.Count);
        AsyncGraph graph = EdgeReader.Read(Part(SnapshotFormat.Edges), nodes);
        foreach (int combinator in _tables.AnyOf)
        {
            if (combinator < graph.Count || combinator >= graph.Size)
                throw new SnapshotFormatException("its table of combinators is damaged");
            graph.MarkAny(combinator);
        }
        WaitReason[] reasons = [.. _tables.Reasons.Select(reason => reason.Reason)];
        StackTable stacks = new StackReader(_tables, nodes, links.Count).Read(Part(SnapshotFormat.Shapes), Part(SnapshotFormat.Stacks));
        var columns = new ModelColumns
        {
            Nodes = nodes,
            Awaits = graph,
            Stacks = stacks,
            Links = links,
            Reasons = _tables.ReasonOf.ToDictionary(pair => pair.Key, pair => reasons[pair.Value]),
            Resources = _tables.Resources.DistinctBy(resource => resource.Address).ToDictionary(resource => resource.Address),
            Types = Types(nodes.Count),
            Facts = Facts(graph, reasons, stacks.Rows.Count) with { Labels = Labels(stacks.Rows.Count), Values = Values(stacks.Rows.Count) },
        };
        return new AsyncModel(columns)
        {
            Target = _tables.Target with { Kind = TargetKind.Snapshot },
            Complete = _tables.Complete,
            Problems = [.. _tables.Problems],
            Notes = [.. _tables.Notes],
            Places = [.. _tables.Places.Select(place => place.Place)],
            Standing = _parts.ContainsKey(SnapshotFormat.Standing) ? StandingColumns.Read(Part(SnapshotFormat.Standing), stacks.Rows.Count) : null,
        };
    }

    // A file of before there were such facts has no such parts.
    private GraphFacts Facts(AsyncGraph graph, WaitReason[] reasons, int stacks)
    {
        GraphFacts facts = _parts.ContainsKey(SnapshotFormat.Links) ? LinkColumns.Read(Part(SnapshotFormat.Links), graph, _tables, reasons) : GraphFacts.None;
        if (_parts.ContainsKey(SnapshotFormat.Orphans))
            facts = OrphanColumns.Read(Part(SnapshotFormat.Orphans), facts, graph);
        ReplyRow[] replies = [.. SnapshotFormat.ReplyParts.Where(row => _parts.ContainsKey(row.Part)).SelectMany(row => OrphanColumns.ReadReplies(Part(row.Part), graph.Count, _tables.Places.Count, row.Kind)).OrderBy(row => row.Promise).ThenBy(row => row.Node)];
        facts = facts with { Replies = replies };
        if (_parts.ContainsKey(SnapshotFormat.Nobodys))
            facts = facts with { Nobodys = OrphanColumns.ReadNobodys(Part(SnapshotFormat.Nobodys)) };
        if (_parts.ContainsKey(SnapshotFormat.Ages))
            facts = facts with { Ages = AgeColumns.Read(Part(SnapshotFormat.Ages)) };
        if (_parts.ContainsKey(SnapshotFormat.Starts))
            facts = facts with { Ages = AgeColumns.ReadStarts(Part(SnapshotFormat.Starts), facts.Ages, stacks) };
        return !_parts.ContainsKey(SnapshotFormat.Holders) ? facts : facts with { Holders = HolderColumns.Read(Part(SnapshotFormat.Holders), graph.Count, _tables.Places.Count) };
    }

    private LabelFacts Labels(int stacks)
        => !_parts.ContainsKey(SnapshotFormat.Labels) ? LabelFacts.None : LabelColumns.Read(Part(SnapshotFormat.Labels), [.. _tables.Labels.Select(label => label.Label)], stacks);

    private uint[] Values(int stacks) => !_parts.ContainsKey(SnapshotFormat.Values) ? [] : ValueColumn.Read(Part(SnapshotFormat.Values), stacks);

    private ColumnReader Part(string name) => new(name, Bytes(name));

    private byte[] Bytes(string name) => _parts.TryGetValue(name, out byte[]? bytes) ? bytes : throw new SnapshotFormatException($"its part {name.TrimEnd()} is missing");

    private T Json<T>(string name, Func<byte[], T?> read)
        where T : class
    {
        try
        {
            return read(Bytes(name)) ?? throw new SnapshotFormatException($"its part {name.TrimEnd()} is empty");
        }
        catch (JsonException e)
        {
            // The parser's message would quote the file.
            throw new SnapshotFormatException(FormattableString.Invariant($"its part {name.TrimEnd()} is damaged: its JSON is not valid, from byte {e.BytePositionInLine ?? 0} of line {e.LineNumber ?? 0} on"), e);
        }
    }

    private FrameLinks FrameColumns()
    {
        ColumnReader part = Part(SnapshotFormat.Frames);
        int count = part.Count();
        ulong[] addresses = part.NearAddresses(count);
        int[] next = part.Array<int>(count);
        for (int i = 0; i < count; i++)
        {
            ulong link = part.Number();
            long position = link == 0 ? -1 : i + ((long)((link - 1) >> 1) ^ -(long)((link - 1) & 1));
            next[i] = position >= -1 && position < count ? (int)position : throw part.Damaged("a link leads nowhere");
        }
        int[] sites = part.Array<int>(count);
        for (int i = 0; i < count; i++)
            sites[i] = part.Below(int.MaxValue);
        part.End();
        return new FrameLinks(addresses, next, sites);
    }

    private NodeTable Nodes(int frames)
    {
        ColumnReader part = Part(SnapshotFormat.Nodes);
        int operations = part.Count(), segments = part.Count(), count = part.Count();
        if ((long)operations + segments > count)
            throw part.Damaged("it has fewer nodes than operations");
        ulong[] addresses = part.NearAddresses(count);
        AsyncNodeKind[] kinds = part.Array<AsyncNodeKind>(count);
        for (int i = 0; i < count; i++)
            kinds[i] = part.Enum<AsyncNodeKind>((int)AsyncNodeKind.Task + 1);
        int[] heads = part.Near(operations, -1, frames), threads = part.Near(segments, int.MinValue, int.MaxValue);
        part.End();
        return new NodeTable { Addresses = addresses, Kinds = kinds, Heads = heads, Threads = threads };
    }

    private ObjectTypeTable Types(int nodes)
    {
        ColumnReader part = Part(SnapshotFormat.Types);
        int types = _tables.Types.Count, known = part.Count();
        if (known > nodes)
            throw part.Damaged("it has more types than nodes");
        int[] ofNodes = part.Near(known, 0, types);
        int[] ofSites = part.Near(part.Count(), 0, types);
        int waits = part.Count();
        ulong[] addresses = part.NearAddresses(waits);
        int[] ofWaits = part.Near(waits, 0, types);
        part.End();
        var byAddress = new Dictionary<ulong, int>();
        for (int i = 0; i < waits; i++)
            byAddress[addresses[i]] = ofWaits[i];
        return new ObjectTypeTable { Types = [.. _tables.Types.Select(type => (type.MethodTable, type.Name))], OfNodes = ofNodes, OfSites = ofSites, OfWaits = byAddress };
    }
}
