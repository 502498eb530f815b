using System.Collections.Concurrent;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Targets;
using Async2.Analysis.Waits;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Heap;

/// <summary>Asks the runtime for the types of a heap. The first object of an async family shows the family's layout.</summary>
/// <param name="target">The target.</param>
/// <param name="facts">What descriptions say of its runtime.</param>
internal sealed class HeapTypeReader(Target target, LayoutFacts facts)
{
    // Without components: more than the fields of the largest class that can be declared.
    private const int SizeLimit = 1 << 30;

    private readonly SortedSet<string> _unknownShapes = new(StringComparer.Ordinal);
    private readonly int _pointerSize = target.Memory.PointerSize;
    private volatile ContinuationLayout? _continuation;
    private volatile TaskLayout? _task;
    private volatile ChainOwnerLayout? _owner;
    private volatile TimerStampLayout? _timer;
    private readonly AsyncTypes _types = new(facts);
    private readonly PlainTypes? _plain = PlainTypes.Of(target, AsyncTypes.NamesOf(facts));

    public int PointerSize => _pointerSize;

    /// <summary>Null when no continuation was met, or when it is shaped in an unknown way.</summary>
    public ContinuationLayout? Continuation => _continuation;

    /// <summary>Null when no task was met, or when it is shaped in an unknown way.</summary>
    public TaskLayout? Task => _task;

    /// <summary>Null when no owner of a chain was met, or when it is shaped in an unknown way.</summary>
    public ChainOwnerLayout? ChainOwner => _owner;

    /// <summary>Null when no timer was met, or when it is shaped in an unknown way.</summary>
    public TimerStampLayout? Timer => _timer;

    /// <summary>Names of async types that are shaped differently from any runtime that is known.</summary>
    public IReadOnlyCollection<string> UnknownShapes => _unknownShapes;

    /// <summary>Null if there is no type at that address.</summary>
    public HeapType? Describe(ulong methodTable)
    {
        if (_plain is null || PlainTypes.Head.At(target, methodTable) is not { } head)
            return Ask(methodTable);
        if (_plain.TryGet(head, methodTable, out HeapType known))
            return known;
        HeapType? type = Ask(methodTable);
        if (type is { } found)
            _plain.Add(head, found);
        return type;
    }

    private HeapType? Ask(ulong methodTable)
    {
        if (TypeLookup.Of(target.Runtime, methodTable) is not { } type || SizeOf(type, _pointerSize) is not { } size)
            return null;
        int component = type.ComponentSize;
        AsyncTypeKind kind = type.IsFree || type.IsString || type.IsArray ? AsyncTypeKind.Other : _types.Classify(type);
        if (kind == AsyncTypeKind.Continuation)
            _continuation ??= ContinuationLayout.Of(type, facts, _pointerSize) ?? Miss<ContinuationLayout>(type);
        else if (kind == AsyncTypeKind.ChainOwner)
            _owner ??= ChainOwnerLayout.Of(type, facts, _pointerSize) ?? Miss<ChainOwnerLayout>(type);
        else if (kind == AsyncTypeKind.Timer)
            _timer ??= TimerStampLayout.Of(type, _pointerSize); // no stack is missing without it
        else if (kind is not (AsyncTypeKind.Other or AsyncTypeKind.Nameless or AsyncTypeKind.PooledBox or AsyncTypeKind.CustomBox or AsyncTypeKind.LocalValues))
            _task ??= TaskLayout.Of(type, _pointerSize) ?? Miss<TaskLayout>(type);
        bool isResource = kind == AsyncTypeKind.Other && component == 0 && WaitFamilies.IsResource(type, _pointerSize);
        return new HeapType(methodTable, (uint)size, (ushort)component, kind, isResource);
    }

    /// <summary>Bytes of an object of a type without its components; null if no type is like that.</summary>
    public static int? SizeOf(ClrType type, int pointerSize)
    {
        int component = type.ComponentSize;
        // ClrMD leaves the terminating zero of a string out.
        int size = type.IsString ? type.StaticSize + component : type.StaticSize;
        // coreclr's MIN_OBJECT_SIZE is three pointers; of arrays and strings a part of that is components.
        int least = component == 0 ? 3 * pointerSize : 2 * pointerSize;
        return size < least || size > SizeLimit || component is < 0 or > ushort.MaxValue ? null : size;
    }

    private TLayout? Miss<TLayout>(ClrType type)
        where TLayout : class
    {
        _unknownShapes.Add(type.Name ?? "?");
        return null;
    }
}

/// <summary>The types of a heap, by method table; each is asked for once. Any number of threads may ask.</summary>
/// <param name="describe">The type of a method table, null if there is none at that address. Never called by two threads at once.</param>
internal sealed class HeapTypes(Func<ulong, HeapType?> describe)
{
    private readonly ConcurrentDictionary<ulong, HeapType> _types = [];
    private readonly object _asking = new();
    private int _questions;

    /// <summary>Counts the questions for types, and the answers.</summary>
    public int Questions => Volatile.Read(ref _questions);

    /// <summary>With such a count, the last question has no answer yet.</summary>
    public static bool IsOpen(int questions) => questions % 2 != 0;

    /// <summary>The type of a method table that has been met before.</summary>
    public bool TryGetKnown(ulong methodTable, out HeapType type) => _types.TryGetValue(methodTable, out type);

    /// <summary>False if there is no type at that address.</summary>
    public bool TryGet(ulong methodTable, out HeapType type)
    {
        if (_types.TryGetValue(methodTable, out type))
            return true;
        lock (_asking)
        {
            if (_types.TryGetValue(methodTable, out type))
                return true;
            Interlocked.Increment(ref _questions);
            HeapType? described = describe(methodTable);
            Interlocked.Increment(ref _questions);
            if (described is not { } found)
                return false;
            type = _types[methodTable] = found;
            return true;
        }
    }
}

/// <summary>What a walk over the heap has to know of a type: 16 bytes, so that the types of a heap stay in the processor's cache.</summary>
/// <param name="MethodTable">Its address.</param>
/// <param name="BaseSize">Bytes of an object without components.</param>
/// <param name="ComponentSize">Bytes of an element of an array or string; 0 for all others.</param>
/// <param name="Kind">What it is to async code.</param>
/// <param name="IsResource">Its objects are waited for without being pointed to.</param>
internal readonly record struct HeapType(ulong MethodTable, uint BaseSize, ushort ComponentSize, AsyncTypeKind Kind, bool IsResource)
{
    /// <summary>Neither an async object nor one to note.</summary>
    public bool IsPlain => Kind == AsyncTypeKind.Other && !IsResource;

    /// <summary>Bytes that an object takes on the heap, with its alignment.</summary>
    /// <param name="components">Its length; not read for types without components.</param>
    /// <param name="alignment">coreclr's DATA_ALIGNMENT: the pointer size.</param>
    public ulong SizeOf(uint components, uint alignment)
        => (BaseSize + ((ulong)components * ComponentSize) + (alignment - 1)) & ~(ulong)(alignment - 1);
}
