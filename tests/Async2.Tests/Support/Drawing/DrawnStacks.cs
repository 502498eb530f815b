using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Query;

namespace Async2.Tests.Support.Drawing;

/// <summary>Makes the model that stacks drawn by hand could come from: each stack is one of it, each frame a node with an object of its own.</summary>
internal static class DrawnStacks
{
    /// <summary>The model.</summary>
    /// <param name="drawn">The stacks.</param>
    /// <param name="tasks">More tasks of the first stack.</param>
    public static AsyncModel ModelOf(StackView drawn, params ulong[] tasks)
    {
        var model = new Columns();
        foreach (LogicalStack stack in drawn.Stacks)
            model.Add(stack, stack == drawn.Stacks[0] ? tasks : []);
        return model.Model(drawn);
    }

    /// <summary>The stacks with their numbers in the model.</summary>
    public static StackView Numbered(StackView drawn)
        => drawn with { Stacks = [.. drawn.Stacks.Select((stack, number) => stack with { Members = [number] })] };

    private sealed class Columns
    {
        private readonly List<FramePlace> _places = [];
        private readonly List<ulong> _addresses = [];
        private readonly List<StackShape> _shapes = [];
        private readonly RowList<StackRow> _rows = new();
        private readonly List<WaitingOn> _waits = [];
        private readonly List<int> _nodes = [];
        private readonly Dictionary<int, ulong> _tasks = [];
        private readonly List<(int Position, int Thread)> _threads = [];

        // Operations come before segments of threads, so the numbers of those are known at last.
        public void Add(LogicalStack stack, ulong[] tasks)
        {
            var parts = new List<ShapePart>();
            var places = new List<int>();
            int first = _nodes.Count;
            foreach (LogicalFrame frame in stack.Frames)
            {
                places.Add(_places.Count);
                _places.Add(new FramePlace(frame with { Address = null }, frame.IsFramework ? FrameOrigin.Framework : FrameOrigin.User, _places.Count));
                AddNode(parts, frame.Address ?? 0, places.Count);
            }
            foreach (ulong task in tasks.Length > 0 ? tasks : [0UL])
                AddNode(parts, task, places.Count);
            if (stack.Thread is { } thread)
            {
                _threads.Add((_nodes.Count, thread));
                _nodes.Add(0);
                parts.Add(new ShapePart(0, places.Count));
            }
            if (stack.Task is { } own)
                _tasks[_rows.Count] = own;
            int wait = stack.WaitingOn is { } known ? Number(known) : -1;
            _shapes.Add(new StackShape([.. parts], [.. places], [.. places.Select(_ => FrameForm.Object)]));
            _rows.Add(new StackRow(stack.WaitingOn?.Address ?? 0, _shapes.Count - 1, first, wait, 0, stack.State, StackFlags.None));
        }

        public AsyncModel Model(StackView drawn)
        {
            for (int i = 0; i < _threads.Count; i++)
                _nodes[_threads[i].Position] = _addresses.Count + i;
            var numbers = new RowList<int>();
            foreach (int node in _nodes)
                numbers.Add(node);
            var nodes = new NodeTable
            {
                Addresses = [.. _addresses, .. _threads.Select(_ => 0UL)],
                Kinds = [.. _addresses.Select(_ => AsyncNodeKind.StateMachine), .. _threads.Select(_ => AsyncNodeKind.ThreadSegment)],
                Heads = [.. _addresses.Select(_ => -1)],
                Threads = [.. _threads.Select(thread => thread.Thread)],
            };
            var columns = new ModelColumns
            {
                Nodes = nodes,
                Awaits = new AsyncGraph(_addresses.Count, _threads.Count),
                Stacks = new StackTable { Rows = _rows, Shapes = _shapes, Nodes = numbers, Waits = _waits, Idle = [null], HeldBy = new Dictionary<int, int>(), Tasks = _tasks },
                Links = new FrameLinks([], [], []),
                Reasons = new Dictionary<ulong, WaitReason>(),
                Types = ObjectTypeTable.Empty,
            };
            return new AsyncModel(columns) { Target = drawn.Target, Places = [.. _places], Complete = drawn.Complete, Problems = drawn.Problems };
        }

        private int Number(WaitingOn wait)
        {
            _waits.Add(wait with { Address = null });
            return _waits.Count - 1;
        }

        private void AddNode(List<ShapePart> parts, ulong address, int end)
        {
            _nodes.Add(_addresses.Count);
            _addresses.Add(address);
            parts.Add(new ShapePart(0, end));
        }
    }
}
