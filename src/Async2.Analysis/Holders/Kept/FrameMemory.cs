using Async2.Analysis.Code.Decoding;
using Async2.Analysis.Code.Locals;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Metadata.Signatures;
using Async2.Analysis.Nodes;
using Async2.Analysis.Targets;
using Async2.Analysis.Values;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Holders.Kept;

/// <summary>Where a value's fields begin, and the type that says where they are.</summary>
/// <param name="Address">First byte behind the method table of an object, or of the struct.</param>
/// <param name="Type">Its type.</param>
internal readonly record struct FieldsAt(ulong Address, ClrType Type)
{
    /// <summary>Of an object; null if there is none.</summary>
    public static FieldsAt? Of(Target target, ulong item)
        => TypeLookup.OfObject(target.Runtime, target.Memory, item) is { } type ? new(item + (ulong)target.Memory.PointerSize, type) : null;

    /// <summary>Of a state machine.</summary>
    public static FieldsAt Of(Target target, BoxedStateMachine machine)
        => new(machine.IsObject ? machine.Address + (ulong)target.Memory.PointerSize : machine.Address, machine.Layout.Type);
}

/// <summary>What a suspended frame kept: variables by their number in IL.</summary>
internal abstract class FrameMemory
{
    /// <summary>The state machine that argument 0 stands for; null for other code.</summary>
    public virtual FieldsAt? Machine => null;

    /// <summary>A variable that is a reference; 0 if it was not kept.</summary>
    public virtual ulong Reference(bool isLocal, int index) => 0;

    /// <summary>A variable that is a struct; null if it was not kept as one.</summary>
    public virtual FieldsAt? Struct(bool isLocal, int index) => null;

    /// <summary>A field of such a variable, and where the struct would begin with it; null if it was not kept.</summary>
    public virtual (ClrInstanceField Field, ulong Owner)? Field(bool isLocal, int index, string name) => null;

    /// <summary>Objects among which those are that a struct in a local refers to, whose fields the optimiser keeps apart; none for other locals.</summary>
    public virtual IEnumerable<ulong> KeptApart(int local) => [];

    /// <summary>Objects that it refers to, of which no variable is known: the compiler leaves values on the stack of IL, and optimised code of threads says of no variable where it is.</summary>
    public virtual IEnumerable<ulong> Unnamed => [];

    /// <summary>What a call has given, by its type, where no variable is known to have it; null if several might be that.</summary>
    public virtual FieldsAt? Given(TypeSig type) => null;

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

    private static readonly FullTypeText NoArguments = new([], []);

    private readonly Target _target;
    private readonly TypeResolver _types;
    private readonly SavedVariables _saved;
    private readonly ContinuationRow _row;
    private readonly byte[] _data;
    private readonly ulong[] _references;

    /// <param name="target">The target.</param>
    /// <param name="types">Finds the types of structs.</param>
    /// <param name="saved">What is saved where it stopped.</param>
    /// <param name="row">Its object.</param>
    public ContinuationMemory(Target target, TypeResolver types, SavedVariables saved, in ContinuationRow row)
    {
        (_target, _types, _saved, _row) = (target, types, saved, row);
        _data = ArrayLayout.ReadBytes(target.Memory, row.Data, DataLimit);
        _references = ArrayLayout.ReadReferences(target.Memory, row.GCData, ReferenceLimit);
    }

    // A struct with nothing but a reference looks like one.
    public override ulong Reference(bool isLocal, int index)
        => PieceOf(slot => slot.IsLocal == isLocal && slot.Index == index && slot.Type is not { Kind: TypeSigKind.Named, IsValueType: true }, sizeof(ulong))
            is { InGCData: true, At: 0, Size: sizeof(ulong), Offset: var offset } && offset / sizeof(ulong) < _references.Length ? _references[offset / sizeof(ulong)] : 0;

    // Where all of it lies in one of the arrays, it lies there as it is.
    public override FieldsAt? Struct(bool isLocal, int index)
        => StructOf(isLocal, index) is ({ } type, var size, [var first, ..] and var pieces) && pieces.Sum(piece => piece.Size) == size && pieces.All(piece => Begin(piece) == Begin(first))
            ? new(Begin(first), type) : null;

    // References are in one of the arrays, all else is in the other.
    public override (ClrInstanceField Field, ulong Owner)? Field(bool isLocal, int index, string name)
        => StructOf(isLocal, index) is ({ } type, _, var pieces) && type.GetFieldByName(name) is { Offset: >= 0 } field
            && pieces.Where(piece => piece.At <= field.Offset && field.Offset + field.Size <= piece.At + piece.Size).ToArray() is [var only, ..] ? (field, Begin(only)) : null;

    private (ClrType Type, int Size, SavedPiece[] Pieces)? StructOf(bool isLocal, int index)
    {
        foreach (SavedSlot slot in _saved.Slots.Where(slot => slot.IsLocal == isLocal && slot.Index == index))
        {
            if (slot.Type is { IsValueType: true } declared && _types.Resolve(declared, NoArguments) is { Type: { } type, Size: > 0 and var size })
                return (type, size, [.. _saved.PiecesOf(slot.Place, slot.MayBeReferred, size).Where(IsThere)]);
        }
        return null;
    }

    public override FieldsAt? Given(TypeSig type)
        => type.IsValueType ? OnlyField(type) : type.Type is { } named && OnlyOne(named.FullName) is >= 0 and var place ? FieldsAt.Of(_target, _references[place]) : null;

    // Of a struct with nothing but a reference the optimiser keeps that.
    private FieldsAt? OnlyField(TypeSig declared)
        => _types.Resolve(declared, NoArguments) is { Type: { IsValueType: true, Fields: [{ IsObjectReference: true, Offset: 0, Type.Name: { } held }] } type } && OnlyOne(held) is >= 0 and var place
            ? new(_row.GCData + (ulong)ArrayLayout.FirstElement(_target.Memory) + ((ulong)place * sizeof(ulong)), type) : null;

    // Where the only object of a type was saved, if not for a variable that is known; else -1.
    private int OnlyOne(string type)
    {
        int[] found = [.. Enumerable.Range(0, _references.Length).Where(place => _references[place] != 0 && IsOf(_references[place], type))];
        if (found.Select(place => _references[place]).Distinct().Count() != 1)
            return -1;
        return found.Except(KnownPlaces).Append(-1).First();
    }

    private IEnumerable<int> KnownPlaces => _saved.Slots.SelectMany(slot => _saved.Map.PiecesOf(slot.Place, sizeof(ulong))).Where(piece => piece.InGCData).Select(piece => piece.Offset / sizeof(ulong));

    public override IEnumerable<ulong> Unnamed => Enumerable.Range(0, _references.Length).Except(KnownPlaces).Select(place => _references[place]).Where(reference => reference != 0);

    private bool IsOf(ulong item, string type)
        => TypeLookup.OfObject(_target.Runtime, _target.Memory, item) is { } own && BaseTypes.Of(own).Any(level => level.Name is { } name && Plain(name) == Plain(type));

    // Without type arguments.
    private static string Plain(string name) => name.Split('<', '`')[0];

    private bool IsThere(SavedPiece piece) => piece.Offset >= 0 && piece.Offset <= (piece.InGCData ? _references.Length * sizeof(ulong) : _data.Length) - piece.Size;

    // Where the struct of a piece would begin.
    private ulong Begin(SavedPiece piece) => (piece.InGCData ? _row.GCData : _row.Data) + (ulong)(ArrayLayout.FirstElement(_target.Memory) + piece.Offset - piece.At);

    // Only optimised code has locals without a place, and that saves nothing that it does not need.
    public override IEnumerable<ulong> KeptApart(int local) => _saved.Slots.Any(slot => slot.IsLocal && slot.Index == local) ? [] : _references.Where(reference => reference != 0).Distinct();

    public override int? Number(bool isLocal, int index)
        => PieceOf(slot => slot.IsLocal == isLocal && slot.Index == index, sizeof(int)) is { InGCData: false, At: 0, Size: sizeof(int), Offset: var offset } && offset <= _data.Length - sizeof(int)
            ? BitConverter.ToInt32(_data, offset) : null;

    private SavedPiece? PieceOf(Func<SavedSlot, bool> isMeant, int size)
    {
        foreach (SavedSlot slot in _saved.Slots.Where(isMeant))
        {
            if (_saved.PiecesOf(slot.Place, slot.MayBeReferred, size).ToArray() is [{ Offset: >= 0 } only])
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
/// <param name="held">Objects that its frame refers to; none if they are not known.</param>
internal sealed class ThreadMemory(ulong self, FrameMemory? resumed = null, IEnumerable<ulong>? held = null) : FrameMemory
{
    public override IEnumerable<ulong> Unnamed => held ?? [];

    public override ulong Reference(bool isLocal, int index)
        => isLocal ? 0 : index == 0 && self != 0 ? self : resumed?.Reference(isLocal: false, index) ?? 0;
}
