using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Reachability;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Identity;

/// <summary>
/// A number for what suspended frames have in their variables, apart from addresses: nobody writes to them before they go on, and a collection changes
/// only addresses. Equal stacks that have different numbers are different operations: an id, a counter or a name is enough.
/// </summary>
/// <param name="target">The target.</param>
/// <param name="continuation">Of continuations; null if the target has none.</param>
/// <param name="machines">State machines in their boxes.</param>
internal sealed class FrameValues(Target target, ContinuationLayout? continuation, StateMachineLayouts machines)
{
    /// <summary>So many stacks are asked.</summary>
    private const int StackLimit = 200_000;

    private const int FrameLimit = 8;
    private const int ByteLimit = 512;
    private const int ReferenceLimit = 16;
    private const int Word = sizeof(ulong);

    // FNV-1a.
    private const uint Basis = 2_166_136_261;
    private const uint Prime = 16_777_619;

    private readonly ObjectShapes _shapes = new(target);
    private readonly ulong _string = target.Runtime.Heap.StringType.MethodTable;
    private readonly byte[] _bytes = new byte[ByteLimit];
    private ulong[] _references = new ulong[16];

    /// <summary>The number of each stack; 0 where nothing was read. Empty if there is none at all.</summary>
    public uint[] Of(AsyncModel model)
    {
        // Pointers of another size are not worth the code: order and clocks are left.
        if (target.Memory.PointerSize != Word)
            return [];
        uint[] numbers = new uint[Math.Min(model.StackCount, StackLimit)];
        for (int stack = 0; stack < numbers.Length; stack++)
        {
            if (model.Stacks.Rows[stack].Idle == 0)
                numbers[stack] = Of(model, stack);
        }
        return Array.TrueForAll(numbers, number => number == 0) ? [] : numbers;
    }

    private uint Of(AsyncModel model, int stack)
    {
        uint hash = Basis;
        bool isKnown = false;
        var frames = new StackObjects(model, stack);
        ulong last = 0;
        for (int i = 0; i < FrameLimit && frames.MoveNext();)
        {
            if (frames.Address == 0 || frames.Address == last)
                continue;
            last = frames.Address;
            isKnown |= frames.Position >= 0 ? AddContinuation(last, ref hash) : AddMachine(last, ref hash);
            i++;
        }
        return isKnown ? Math.Max(1, hash) : 0;
    }

    private bool AddContinuation(ulong address, ref uint hash)
    {
        if (continuation is not { Shape: ContinuationShape.Arrays } layout)
            return false;
        Span<byte> item = _bytes.AsSpan(0, Math.Min(layout.Size, ByteLimit));
        if (!target.Memory.TryRead(address, item))
            return false;
        ulong data = layout.Data(item), references = layout.GCData(item);
        if (data != 0)
            Add(ArrayLayout.ReadBytes(target.Memory, data, ByteLimit), ref hash);
        foreach (ulong reference in ArrayLayout.ReadReferences(target.Memory, references, ReferenceLimit, ref _references))
            AddText(reference, ref hash);
        return true;
    }

    private bool AddMachine(ulong box, ref uint hash)
    {
        ulong table = new HeapObject(target.Memory, box).MethodTable();
        if (machines.StateMachineIn(box, table) is not { } machine)
            return false;
        ulong item = machine.IsObject ? machine.Address : box;
        ulong itemTable = machine.IsObject ? new HeapObject(target.Memory, item).MethodTable() : table;
        // More words than its map has: all could be references.
        if (_shapes.Of(itemTable) is not { ComponentSize: 0 } shape || (shape.Leads && shape.Fields == 0))
            return false;
        int first = machine.IsObject ? Word : (int)(machine.Address - box), end = Math.Min((int)shape.BaseSize - Word, ByteLimit);
        Span<byte> bytes = _bytes.AsSpan(0, Math.Max(end, 0));
        if (first >= end || !target.Memory.TryRead(item, bytes))
            return false;
        for (int at = first; at < end; at += Word)
        {
            Span<byte> word = bytes[at..Math.Min(at + Word, end)];
            if (((shape.Fields >> (at / Word)) & 1) == 0)
                Add(word, ref hash);
            else
                AddText(BitConverter.ToUInt64(word), ref hash);
        }
        return true;
    }

    // Of objects only strings never change.
    private void AddText(ulong reference, ref uint hash)
    {
        if (reference == 0 || new HeapObject(target.Memory, reference).MethodTable() != _string)
            return;
        // A string's length is behind its method table, where the characters begin.
        Span<byte> text = stackalloc byte[64];
        int read = target.Memory.ReadUpTo(reference + Word, text);
        int used = read < sizeof(int) ? 0 : (int)Math.Min((uint)read, sizeof(int) + (2L * BitConverter.ToUInt32(text)));
        Add(text[..used], ref hash);
    }

    private static void Add(ReadOnlySpan<byte> bytes, ref uint hash)
    {
        foreach (byte value in bytes)
            hash = (hash ^ value) * Prime;
    }
}
