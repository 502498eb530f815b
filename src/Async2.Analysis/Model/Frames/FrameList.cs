using System.Collections;
using System.Collections.Immutable;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Async2.Analysis.Model.Frames;

/// <summary>
/// The frames of a stack. Frames of a model exist as numbers until one is accessed: a chain may have a million
/// frames, of which only a line with a count is shown.
/// </summary>
[CollectionBuilder(typeof(FrameList), nameof(Create))]
public sealed class FrameList : IReadOnlyList<LogicalFrame>
{
    private readonly ImmutableArray<LogicalFrame> _frames;
    private readonly ImmutableArray<StackFrame> _rows;
    private readonly FrameAddresses? _addresses;
    private readonly Func<StackFrame, LogicalFrame>? _show;
    private readonly bool _isReversed;

    // Of the first row in the addresses.
    private readonly int _first;

    private Dictionary<(int Id, int Folded), LogicalFrame>? _withoutAddress;

    private FrameList(ImmutableArray<LogicalFrame> frames, bool isReversed) => (_frames, _rows, _isReversed) = (frames, [], isReversed);

    private FrameList(ImmutableArray<StackFrame> rows, FrameAddresses addresses, Func<StackFrame, LogicalFrame> show, int first, bool isReversed)
        => (_frames, _rows, _addresses, _show, _first, _isReversed) = ([], rows, addresses, show, first, isReversed);

    /// <summary>The number of frames.</summary>
    public int Count => _show is null ? _frames.Length : _rows.Length;

    /// <summary>A frame; each access may create another object.</summary>
    public LogicalFrame this[int index] => _show is null ? _frames[At(index)] : _show(RowOf(At(index)));

    /// <summary>Variables were read for at least one frame.</summary>
    public bool HasLocals => _show is null && _frames.Any(frame => !frame.Locals.IsDefaultOrEmpty);

    /// <summary>Creates a list of existing frames.</summary>
    public static FrameList Create(ReadOnlySpan<LogicalFrame> frames) => new([.. frames], false);

    /// <summary>Creates a list of frames that are created on access.</summary>
    /// <param name="rows">Without addresses; many stacks have the same.</param>
    /// <param name="addresses">Of the objects of these rows.</param>
    /// <param name="show">Creates the frame of a row that has its address.</param>
    internal static FrameList Of(ImmutableArray<StackFrame> rows, FrameAddresses addresses, Func<StackFrame, LogicalFrame> show) => new(rows, addresses, show, 0, false);

    /// <summary>A frame without the address of its object: equal frames are usually one object.</summary>
    public LogicalFrame WithoutAddress(int index)
    {
        if (_show is null)
            return _frames[At(index)];
        StackFrame row = _rows[At(index)];
        _withoutAddress ??= [];
        if (!_withoutAddress.TryGetValue((row.Id, row.Folded), out LogicalFrame? look))
            _withoutAddress[(row.Id, row.Folded)] = look = _show(row);
        return look;
    }

    /// <summary>The number of frames folded on the inner side of a frame; creates no frame.</summary>
    public int FoldedAt(int index) => _show is null ? _frames[At(index)].Folded : _rows[At(index)].Folded;

    /// <summary>The address of a frame's object; creates no frame.</summary>
    internal ulong? AddressAt(int index) => _show is null ? _frames[At(index)].Address : RowOf(At(index)).Address is not 0 and var address ? address : null;

    /// <summary>The frame as a number and an address; null for a frame that exists as an object only.</summary>
    internal StackFrame? RowAt(int index) => _show is null || (uint)index >= (uint)_rows.Length ? null : RowOf(At(index));

    /// <summary>A range of frames.</summary>
    public FrameList Range(int start, int count)
    {
        int first = _isReversed ? Count - start - count : start;
        return _show is null ? new(_frames.Slice(first, count), _isReversed) : new(_rows.Slice(first, count), _addresses!, _show, _first + first, _isReversed);
    }

    /// <summary>The same frames, outermost first.</summary>
    internal FrameList Reversed() => _show is null ? new(_frames, !_isReversed) : new(_rows, _addresses!, _show, _first, !_isReversed);

    /// <inheritdoc/>
    public IEnumerator<LogicalFrame> GetEnumerator()
    {
        for (int i = 0; i < Count; i++)
            yield return this[i];
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    private StackFrame RowOf(int position) => _rows[position] with { Address = _addresses![_first + position] };

    private int At(int index) => _isReversed ? Count - 1 - index : index;
}

/// <summary>One frame of a stack under construction.</summary>
/// <param name="Id">In the frame table.</param>
/// <param name="Address">Address of its object; 0 for none.</param>
/// <param name="Folded">Number of folded framework frames that it called.</param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct StackFrame(int Id, ulong Address, int Folded = 0);

/// <summary>The addresses of the objects of a stack's frames, innermost first; read when one is asked for.</summary>
/// <param name="read">One for each frame; 0 for a frame without an object.</param>
internal sealed class FrameAddresses(Func<ulong[]> read)
{
    private ulong[]? _addresses;

    public ulong this[int frame] => (_addresses ??= read())[frame];
}
