using System.Buffers.Binary;
using Async2.Analysis.Heap;
using Async2.Analysis.Layouts;
using Async2.Analysis.Nodes;
using Async2.Analysis.Targets.Memory;

namespace Async2.Tests.Support.Drawing;

/// <summary>
/// A stretch of heap drawn as words, each one object: <c>o24</c> an object of 24 bytes, <c>a5</c> a byte array of 5 elements,
/// <c>0x40</c> so many zeros, <c>?16</c> so many bytes that are no object, <c>!</c> an object that says it is longer than the heap,
/// <c>-</c> an object whose type nobody knows. Every object is noted, so that a test sees which were walked.
/// </summary>
internal sealed class DrawnHeap
{
    public const ulong Start = 0x10000;

    private const ulong ObjectTypes = 0x7000_0000;
    private const ulong ArrayType = 0x7100_0000;
    private const ulong UnknownType = 0x7200_0000;
    private readonly List<byte> _bytes = [];
    private readonly List<ulong> _objects = [];

    private DrawnHeap(string drawing)
    {
        foreach (string word in drawing.Split(' ', StringSplitOptions.RemoveEmptyEntries))
            Append(word);
    }

    /// <summary>Addresses of the valid objects.</summary>
    public IReadOnlyList<ulong> Objects => _objects;

    public byte[] Bytes => [.. _bytes];

    public ulong End => Start + (ulong)_bytes.Count;

    public static DrawnHeap Draw(string drawing, int exhausted = 0) => new(drawing) { Exhausted = exhausted };

    /// <summary>How many allocation contexts may be used up.</summary>
    public int Exhausted { get; init; }

    /// <summary>Types of the drawing: all are noted, none is async.</summary>
    public static HeapType? Describe(ulong methodTable) => methodTable switch
    {
        ArrayType => new(methodTable, 16, 1, AsyncTypeKind.Other, IsResource: true),
        >= ObjectTypes and < ArrayType => new(methodTable, (uint)(methodTable - ObjectTypes) / 8, 0, AsyncTypeKind.Other, IsResource: true),
        _ => null,
    };

    /// <summary>Walks the drawing; what comes back is what <see cref="HeapWalk"/> makes of a segment, behind damage too.</summary>
    public (IReadOnlyList<ulong> Found, HeapDamage Damage) Walk(TargetMemory memory, params HeapRange[] contexts)
    {
        var walk = new SegmentWalk(memory, new HeapTypes(Describe), new AsyncObjectReader(null!, new SiteTable()), new HeapGaps(contexts, 8), CancellationToken.None);
        var damage = new HeapDamage(walk, isStill: true, Exhausted, CancellationToken.None);
        SegmentRows rows = walk.Run(Start, End);
        var found = new List<ulong>(rows.Resources.SelectMany(part => part.Rows.ToArray()));
        if (rows.End < End)
            damage.WalkRest(rows.End, End, rest => found.AddRange(rest.Resources.SelectMany(part => part.Rows.ToArray())));
        return (found, damage);
    }

    private void Append(string word)
    {
        ulong address = End;
        switch (word[0])
        {
            case 'o':
                int size = int.Parse(word[1..]);
                Valid(address, ObjectTypes + ((ulong)size * 8), size, 0);
                break;
            case 'a':
                uint length = uint.Parse(word[1..]);
                Valid(address, ArrayType, (int)(16 + length + 7) & ~7, length);
                break;
            case '0':
                _bytes.AddRange(new byte[Convert.ToInt32(word, 16)]);
                break;
            case '?':
                _bytes.AddRange(Enumerable.Repeat((byte)0xA5, int.Parse(word[1..])));
                break;
            case '!':
                Object(ArrayType, 24, uint.MaxValue);
                break;
            case '-':
                Object(UnknownType, 24, 0);
                break;
            default:
                throw new FormatException(word);
        }
    }

    private void Valid(ulong address, ulong type, int size, uint length)
    {
        _objects.Add(address);
        Object(type, size, length);
    }

    private void Object(ulong type, int size, uint length)
    {
        byte[] bytes = new byte[size];
        BinaryPrimitives.WriteUInt64LittleEndian(bytes, type);
        BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(8), length);
        _bytes.AddRange(bytes);
    }
}
