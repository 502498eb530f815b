using System.Collections.Immutable;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;

namespace Async2.Analysis.Snapshots;

/// <summary>Reads stacks and their shapes.</summary>
/// <param name="tables">The tables that they refer to.</param>
/// <param name="nodes">The nodes.</param>
/// <param name="objects">Number of frame objects.</param>
internal sealed class StackReader(SnapshotTables tables, NodeTable nodes, int objects)
{
    // Each object is in one stack, and few frames have none. Without this check a small file could refer to a big shape a million times.
    private const int FramesForObject = 16;
    private const int FramesWithoutObject = 1_000_000;

    private const StackFlags AllMarks = StackFlags.IsHeld | StackFlags.IsPlainThread | StackFlags.IsTask | StackFlags.IsTaskLast;

    public StackTable Read(ColumnReader shapePart, ColumnReader stackPart)
    {
        var shapes = new StackShape[shapePart.Count()];
        for (int i = 0; i < shapes.Length; i++)
            shapes[i] = Shape(shapePart);
        shapePart.End();
        (RowList<StackRow> rows, RowList<int> members) = Rows(stackPart, shapes);
        Dictionary<int, ulong> holders = Pairs(stackPart, rows.Count), tasks = Pairs(stackPart, rows.Count);
        stackPart.End();
        if (holders.Values.Any(holder => holder >= (ulong)nodes.Count))
            throw stackPart.Damaged("a node does not exist");
        return new StackTable
        {
            Rows = rows,
            Shapes = shapes,
            Nodes = members,
            Waits = [.. tables.Waits.Select(wait => wait.Wait)],
            Idle = tables.Idle,
            HeldBy = holders.ToDictionary(pair => pair.Key, pair => (int)pair.Value),
            Tasks = tasks,
        };
    }

    private (RowList<StackRow> Rows, RowList<int> Nodes) Rows(ColumnReader stackPart, StackShape[] shapes)
    {
        var rows = new RowList<StackRow>();
        var members = new RowList<int>();
        ulong address = 0;
        long node = 0, frames = 0;
        for (int count = stackPart.Count(); count > 0; count--)
        {
            address += (ulong)stackPart.Signed();
            int shape = stackPart.Below(shapes.Length), wait = stackPart.Index(tables.Waits.Count), idle = stackPart.Below(Math.Min(tables.Idle.Count, short.MaxValue));
            StackState state = stackPart.Enum<StackState>((int)StackState.Completed + 1);
            var flags = (StackFlags)stackPart.Byte();
            if ((flags & ~AllMarks) != 0)
                throw stackPart.Damaged("a flag is unknown");
            frames += shapes[shape].Places.Length + shapes[shape].Parts.Sum(part => (long)part.Skip);
            if (frames > FramesWithoutObject + (FramesForObject * ((long)objects + nodes.Count)))
                throw stackPart.Damaged("its stacks have more frames than there can be");
            rows.Add(new(address, shape, members.Count, wait, (short)idle, state, flags));
            for (int part = 0; part < shapes[shape].Parts.Length; part++)
            {
                node += stackPart.Signed();
                members.Add(node >= 0 && node < nodes.Count ? (int)node : throw stackPart.Damaged("a node does not exist"));
            }
        }
        return (rows, members);
    }

    private StackShape Shape(ColumnReader part)
    {
        var parts = ImmutableArray.CreateBuilder<ShapePart>();
        int end = 0;
        for (int count = part.Count(); count > 0; count--)
        {
            int skip = part.Below(int.MaxValue), frames = part.Count();
            // There cannot be more than in all parts together.
            end = checked(end + frames);
            parts.Add(new(skip, end));
        }
        if (parts.Count == 0)
            throw part.Damaged("a stack has no nodes");
        int[] places = part.Near(end, 0, tables.Places.Count);
        FrameForm[] forms = part.Array<FrameForm>(end);
        for (int i = 0; i < end; i++)
            forms[i] = part.Enum<FrameForm>((int)FrameForm.Instead + 1);
        return new StackShape(parts.ToImmutable(), places, forms);
    }

    private static Dictionary<int, ulong> Pairs(ColumnReader part, int stacks)
    {
        var pairs = new Dictionary<int, ulong>();
        for (int count = part.Count(); count > 0; count--)
            pairs[part.Below(stacks)] = part.Number();
        return pairs;
    }
}
