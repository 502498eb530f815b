using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Awaiters;

/// <summary>Fields of the object on which a state machine's async method was called: its saved <c>this</c>.</summary>
internal sealed class OwnerFields(Target target)
{
    private readonly LayoutCache<StateMachineSourceLayout> _boxes = new(target.Runtime, StateMachineSourceLayout.Of);
    private readonly Dictionary<(ulong MethodTable, string Field), (int Offset, int Size)?> _places = [];

    /// <summary>Whether a field is 0 or null; false if that is unknown.</summary>
    /// <param name="operation">Address of the box.</param>
    /// <param name="field">Name of a field of the object.</param>
    public bool IsZero(ulong operation, string field)
    {
        var box = new HeapObject(target.Memory, operation);
        if (operation == 0 || _boxes.Of(box)?.Owner is not { } saved || box.At(saved) is not { Address: not 0 } owner || PlaceOf(owner, field) is not { } place)
            return false;
        return place.Size switch
        {
            1 => owner.Byte(place.Offset) == 0,
            4 => owner.Int32(place.Offset) == 0,
            8 => owner.Int64(place.Offset) == 0,
            _ => false,
        };
    }

    private (int Offset, int Size)? PlaceOf(HeapObject owner, string field)
    {
        ulong methodTable = owner.MethodTable();
        if (!_places.TryGetValue((methodTable, field), out (int, int)? place))
            _places[(methodTable, field)] = place = TypeLookup.Of(target.Runtime, methodTable) is { } type ? Find(type, field) : null;
        return place;
    }

    private (int, int)? Find(ClrType type, string field)
    {
        ClrType? holder = BaseTypes.Of(type).FirstOrDefault(t => t.GetFieldByName(field) is not null);
        return holder is not null && FieldPath.Find(holder, target.Memory.PointerSize, field) is { } offset
            ? (offset, FieldSize.Of(holder.GetFieldByName(field)!, target.Memory.PointerSize))
            : null;
    }
}
