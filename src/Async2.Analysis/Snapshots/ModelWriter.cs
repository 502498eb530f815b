using System.Text.Json;
using Async2.Analysis.Analyses;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Graph;

namespace Async2.Analysis.Snapshots;

/// <summary>Writes a model as the parts of a snapshot file.</summary>
internal static class ModelWriter
{
    /// <param name="model">The model.</param>
    /// <param name="variables">Reads variables, which are written; null leaves them out.</param>
    /// <param name="redacts">Leaves out data of the program.</param>
    /// <param name="file">The output.</param>
    public static void Write(AsyncModel model, IFrameVariables? variables, bool redacts, Stream file)
    {
        if (redacts)
            model = Redaction.Of(model);
        PartFile.WriteHead(file);
        var reasons = new Dictionary<WaitReason, int>();
        PartFile.Write(file, SnapshotFormat.Tables, JsonSerializer.SerializeToUtf8Bytes(Tables(model, reasons), SnapshotJson.Default.SnapshotTables));
        int[] sites = SiteNumbers(model.Links);
        Write(file, SnapshotFormat.Frames, columns => Frames(model.Links, sites, columns));
        Write(file, SnapshotFormat.Nodes, columns => Nodes(model.Nodes, columns));
        Write(file, SnapshotFormat.Edges, columns => Edges(model.Awaits, model.Nodes.Threads.Length, columns));
        Write(file, SnapshotFormat.Shapes, columns => Shapes(model.Stacks, columns));
        Write(file, SnapshotFormat.Stacks, columns => Stacks(model.Stacks, columns));
        Write(file, SnapshotFormat.Types, columns => Types(model.Types, sites, columns));
        Write(file, SnapshotFormat.Links, columns => LinkColumns.Write(model, reasons, columns));
        Write(file, SnapshotFormat.Holders, columns => HolderColumns.Write(model.Facts.Holders, columns));
        Write(file, SnapshotFormat.Orphans, columns => OrphanColumns.Write(model.Facts, columns));
        foreach ((ReplyKind kind, string part) in SnapshotFormat.ReplyParts)
        {
            if (model.Facts.Replies.Where(row => row.Kind == kind).ToArray() is { Length: > 0 } rows)
                Write(file, part, columns => OrphanColumns.WriteReplies(rows, columns));
        }
        if (model.Facts.Nobodys.Count > 0)
            Write(file, SnapshotFormat.Nobodys, columns => OrphanColumns.WriteNobodys(model.Facts.Nobodys, columns));
        Write(file, SnapshotFormat.Labels, columns => LabelColumns.Write(model.Facts.Labels, columns));
        Write(file, SnapshotFormat.Ages, columns => AgeColumns.Write(model.Facts.Ages, columns));
        Write(file, SnapshotFormat.Starts, columns => AgeColumns.WriteStarts(model.Facts.Ages, columns));
        if (Movement.Of(model) is { } movement)
            Write(file, SnapshotFormat.Standing, columns => StandingColumns.Write(movement.ForFile(), columns));
        if (model.Facts.Values.Length > 0)
            Write(file, SnapshotFormat.Values, columns => ValueColumn.Write(model.Facts.Values, columns));
        if (variables is not null)
            PartFile.Write(file, SnapshotFormat.Variables, JsonSerializer.SerializeToUtf8Bytes(StoredVariables.Read(model, variables, redacts), SnapshotJson.Default.ListVariablesRecord));
        PartFile.Write(file, SnapshotFormat.End, []);
    }

    private static void Write(Stream file, string name, Action<ColumnWriter> write)
    {
        var columns = new ColumnWriter();
        write(columns);
        PartFile.Write(file, name, columns.Bytes.Span);
    }

    private static SnapshotTables Tables(AsyncModel model, Dictionary<WaitReason, int> reasons)
    {
        var ofAddress = new SortedDictionary<ulong, int>();
        foreach ((ulong address, WaitReason reason) in model.Reasons)
            ofAddress[address] = NumberOf(reason, reasons);
        foreach ((_, WaitReason reason) in model.Facts.Blocked.OrderBy(pair => pair.Key))
            NumberOf(reason, reasons);
        return new SnapshotTables
        {
            Target = model.Target,
            Complete = model.Complete,
            Problems = model.Problems,
            Places = [.. model.Places.Select(PlaceRecord.Of)],
            Waits = [.. model.Stacks.Waits.Select(WaitRecord.Of)],
            Idle = model.Stacks.Idle,
            Reasons = [.. reasons.OrderBy(pair => pair.Value).Select(pair => pair.Key).Select(ReasonRecord.Of)],
            ReasonOf = ofAddress,
            Resources = [.. model.Resources.Values.OrderBy(resource => resource.Address)],
            Labels = [.. model.Facts.Labels.Labels.Select(LabelRecord.Of)],
            Contexts = [.. model.Facts.Contexts.Select(ContextRecord.Of)],
            Queued = model.Facts.Queued,
            Faults = model.Facts.Faults,
            ContextThreads = model.Facts.ContextThreads,
            TimeLimited = model.Facts.TimeLimited,
            AnyOf = [.. model.Awaits.AnyOf],
            Notes = model.Notes,
            Types = [.. model.Types.Types.Select(type => new TypeRecord(type.MethodTable, type.Name))],
        };
    }

    private static int NumberOf(WaitReason reason, Dictionary<WaitReason, int> reasons)
    {
        if (!reasons.TryGetValue(reason, out int number))
            reasons[reason] = number = reasons.Count;
        return number;
    }

    // The threads that walk the heap number places as they meet them, each time in another order; a file counts them as its frames have them.
    private static int[] SiteNumbers(FrameLinks links)
    {
        var numbers = new List<int>();
        int count = 0;
        for (int i = 0; i < links.Count; i++)
        {
            int site = links.SiteOf(i);
            while (numbers.Count <= site)
                numbers.Add(-1);
            if (numbers[site] < 0)
                numbers[site] = count++;
        }
        return [.. numbers];
    }

    private static void Frames(FrameLinks links, int[] sites, ColumnWriter columns)
    {
        columns.Count(links.Count);
        ulong last = 0;
        for (int i = 0; i < links.Count; i++)
        {
            columns.Signed((long)(links.AddressOf(i) - last));
            last = links.AddressOf(i);
        }
        // Callers usually have higher addresses than their callees.
        for (int i = 0; i < links.Count; i++)
            columns.Number(links.Next(i) < 0 ? 0 : ZigZag((long)links.Next(i) - i) + 1);
        for (int i = 0; i < links.Count; i++)
            columns.Count(sites[links.SiteOf(i)]);
    }

    private static ulong ZigZag(long value) => (ulong)((value << 1) ^ (value >> 63));

    private static void Nodes(NodeTable nodes, ColumnWriter columns)
    {
        columns.Count(nodes.Operations);
        columns.Count(nodes.Threads.Length);
        columns.Count(nodes.Count);
        columns.Near(nodes.Addresses);
        foreach (AsyncNodeKind kind in nodes.Kinds)
            columns.Byte((byte)kind);
        columns.Near(nodes.Heads);
        columns.Near(nodes.Threads);
    }

    private static void Edges(AsyncGraph graph, int segments, ColumnWriter columns)
    {
        columns.Count(graph.Operations);
        columns.Count(segments);
        columns.Count(graph.Size);
        for (int node = 0; node < graph.Size; node++)
        {
            ArraySegment<int> waiters = graph.AwaitedBy(node);
            // A node that waits for itself is not a waiter of another.
            columns.Count((waiters.Count << 1) | (!graph.IsCombinator(node) && graph.Awaits(node) == node ? 1 : 0));
            columns.Near(waiters);
        }
        for (int combinator = graph.Count; combinator < graph.Size; combinator++)
        {
            columns.Count(graph.LeavesOf(combinator).Count);
            columns.Near(graph.LeavesOf(combinator).ToArray());
        }
        columns.Count(graph.Holds.Count);
        foreach ((int waiter, Hold hold) in graph.Holds.OrderBy(hold => hold.Key))
        {
            columns.Count(waiter);
            columns.Byte((byte)((hold.NeedsAll ? 1 : 0) | (hold.IsLimited ? 2 : 0) | (hold.IsOwnThread ? 4 : 0)));
            columns.Count(hold.Nodes.Count);
            columns.Near(hold.Nodes.ToArray());
        }
    }

    private static void Shapes(StackTable stacks, ColumnWriter columns)
    {
        columns.Count(stacks.Shapes.Count);
        foreach (StackShape shape in stacks.Shapes)
        {
            columns.Count(shape.Parts.Length);
            int end = 0;
            foreach (ShapePart part in shape.Parts)
            {
                columns.Count(part.Skip);
                columns.Count(part.End - end);
                end = part.End;
            }
            columns.Near(shape.Places);
            foreach (FrameForm form in shape.Forms)
                columns.Byte((byte)form);
        }
    }

    private static void Stacks(StackTable stacks, ColumnWriter columns)
    {
        columns.Count(stacks.Rows.Count);
        ulong address = 0;
        int node = 0;
        for (int i = 0; i < stacks.Rows.Count; i++)
        {
            StackRow row = stacks.Rows[i];
            columns.Signed((long)(row.WaitAddress - address));
            address = row.WaitAddress;
            columns.Count(row.Shape);
            columns.Index(row.Wait);
            columns.Count(row.Idle);
            columns.Byte((byte)row.State);
            columns.Byte((byte)row.Flags);
            for (int part = 0; part < stacks.NodeCount(i); part++)
            {
                columns.Signed((long)stacks.NodeOf(i, part) - node);
                node = stacks.NodeOf(i, part);
            }
        }
        Pairs(stacks.HeldBy.Select(pair => (pair.Key, (ulong)pair.Value)), columns);
        Pairs(stacks.Tasks.Select(pair => (pair.Key, pair.Value)), columns);
    }

    private static void Pairs(IEnumerable<(int Key, ulong Value)> pairs, ColumnWriter columns)
    {
        (int Key, ulong Value)[] ordered = [.. pairs.OrderBy(pair => pair.Key)];
        columns.Count(ordered.Length);
        foreach ((int key, ulong value) in ordered)
        {
            columns.Count(key);
            columns.Number(value);
        }
    }

    private static void Types(ObjectTypeTable types, int[] sites, ColumnWriter columns)
    {
        int[] ofSites = new int[types.OfSites.Length == 0 ? 0 : sites.Append(-1).Max() + 1];
        for (int site = 0; site < sites.Length; site++)
        {
            if (sites[site] >= 0 && ofSites.Length > 0)
                ofSites[sites[site]] = types.OfSite(site);
        }
        columns.Count(types.OfNodes.Length);
        columns.Near(types.OfNodes);
        columns.Count(ofSites.Length);
        columns.Near(ofSites);
        KeyValuePair<ulong, int>[] waits = [.. types.OfWaits.OrderBy(wait => wait.Key)];
        columns.Count(waits.Length);
        columns.Near(Array.ConvertAll(waits, wait => wait.Key));
        columns.Near(Array.ConvertAll(waits, wait => wait.Value));
    }
}
