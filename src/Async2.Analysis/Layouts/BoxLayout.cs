using Async2.Analysis.Layouts.Types;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts;

/// <summary>
/// Where a state machine is in its box: AsyncTaskMethodBuilder's AsyncStateMachineBox and PoolingAsyncValueTaskMethodBuilder's
/// StateMachineBox have it in a field <c>StateMachine</c>: the struct itself, or a reference where the machine is a class (async
/// iterators, unoptimised code).
/// </summary>
/// <param name="Machine">Offset of the field.</param>
/// <param name="IsReference">The machine is an object of its own.</param>
/// <param name="StateMachineType">Type of the struct; null for a class, whose object says it.</param>
/// <param name="Source">The promise of a pooled box; null in a box that is a task.</param>
internal sealed record BoxLayout(int Machine, bool IsReference, ClrType? StateMachineType, ValueTaskSourceLayout? Source)
{
    public const string StateMachineField = "StateMachine";

    /// <summary>Field of the base class of pooled boxes.</summary>
    private const string SourceField = "_valueTaskSource";

    /// <summary>Null if the type is shaped differently.</summary>
    public static BoxLayout? Of(ClrType box, int pointerSize)
    {
        if (box.GetFieldByName(StateMachineField) is not { } field || FieldOffsets.Find(box, pointerSize, StateMachineField) is not { } offsets)
            return null;
        bool isReference = field.IsObjectReference;
        if (!isReference && field.Type is null)
            return null;
        return new BoxLayout(offsets[StateMachineField], isReference, isReference ? null : field.Type, ValueTaskSourceLayout.InField(box, SourceField, pointerSize));
    }
}
