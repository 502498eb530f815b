using System.Collections.Immutable;
using Async2.Analysis.Code.Decoding;
using Async2.Analysis.Code.Locals;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Nodes;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Holders;

/// <summary>Where a value's fields begin, and the type that says where they are.</summary>
/// <param name="Address">First byte behind the method table of an object, or of the struct.</param>
/// <param name="Type">Its type.</param>
internal readonly record struct FieldsAt(ulong Address, ClrType Type)
{
    /// <summary>Of an object; null if there is none.</summary>
    public static FieldsAt? Of(Target target, ulong item)
        => TypeLookup.OfObject(target.Runtime, target.Memory, item) is { } type ? new(item + (ulong)target.Memory.PointerSize, type) : null;
}

/// <summary>What a suspended frame kept: variables by their number in IL.</summary>
internal abstract class FrameMemory
{
    /// <summary>The state machine that argument 0 stands for; null for other code.</summary>
    public virtual FieldsAt? Machine => null;

    /// <summary>A variable that is a reference; 0 if it was not kept.</summary>
    public virtual ulong Reference(bool isLocal, int index) => 0;

    /// <summary>Objects among which those are that a struct in a local refers to, whose fields the optimiser keeps apart; none for other locals.</summary>
    public virtual IEnumerable<ulong> KeptApart(int local) => [];

    /// <summary>A variable that is an int; null if it was not kept.</summary>
    public virtual int? Number(bool isLocal, int index) => null;
}

/// <summary>A state machine, or any value whose method's code is asked about.</summary>
internal sealed class FieldMemory(FieldsAt fields) : FrameMemory
{
    public override FieldsAt? Machine => fields;
}

/// <summary>A continuation of runtime-async.</summary>
internal sealed class ContinuationMemory : FrameMemory
{
    private const int DataLimit = 1024 * 1024;
    private const int ReferenceLimit = 128 * 1024;

    private readonly SavedVariables _saved;
    private readonly byte[] _data;
    private readonly ulong[] _references;

    public ContinuationMemory(Target target, SavedVariables saved, in ContinuationRow row)
    {
        _saved = saved;
        _data = ArrayLayout.ReadBytes(target.Memory, row.Data, DataLimit);
        _references = ArrayLayout.ReadReferences(target.Memory, row.GCData, ReferenceLimit);
    }

    public override ulong Reference(bool isLocal, int index)
        => PieceOf(isLocal, index, sizeof(ulong)) is { InGCData: true, At: 0, Size: sizeof(ulong), Offset: var offset } && offset / sizeof(ulong) < _references.Length
            ? _references[offset / sizeof(ulong)] : 0;

    // Only optimised code has locals without a place, and that saves nothing that it does not need.
    public override IEnumerable<ulong> KeptApart(int local) => _saved.Slots.Any(slot => slot.IsLocal && slot.Index == local) ? [] : _references.Where(reference => reference != 0).Distinct();

    public override int? Number(bool isLocal, int index)
        => PieceOf(isLocal, index, sizeof(int)) is { InGCData: false, At: 0, Size: sizeof(int), Offset: var offset } && offset <= _data.Length - sizeof(int)
            ? BitConverter.ToInt32(_data, offset) : null;

    private SavedPiece? PieceOf(bool isLocal, int index, int size)
    {
        foreach ((bool IsLocal, int Index, Code.DebugInfo.NativePlace Place) slot in _saved.Slots)
        {
            ImmutableArray<SavedPiece> pieces = slot.IsLocal == isLocal && slot.Index == index ? [.. _saved.Map.PiecesOf(slot.Place, size)] : [];
            if (pieces is [{ Offset: >= 0 } only])
                return only;
        }
        return null;
    }
}

/// <summary>
/// A method that a thread executes. Its object is known if the thread refers to a single one of that class. Of one that was resumed, the arguments are, too: what it kept at
/// its last await. Its locals may have changed since.
/// </summary>
/// <param name="self">The object; 0 if it is not known.</param>
/// <param name="resumed">What it was resumed with; null if it began on this thread.</param>
internal sealed class ThreadMemory(ulong self, FrameMemory? resumed = null) : FrameMemory
{
    public override ulong Reference(bool isLocal, int index)
        => isLocal ? 0 : index == 0 && self != 0 ? self : resumed?.Reference(isLocal: false, index) ?? 0;
}
