using Async2.Analysis.Layouts.Types;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts;

/// <summary>
/// <c>ManualResetValueTaskSourceCore&lt;T&gt;</c> inside an object (System.Private.CoreLib 10.0.12): who waits for a value task
/// whose source the object is. Offsets are from the object's address.
/// </summary>
/// <param name="State"><c>_continuationState</c>: an Action, a state machine box or a task; null when nobody waits.</param>
/// <param name="Completed"><c>_completed</c>, a bool.</param>
internal sealed record ValueTaskSourceLayout(int State, int Completed)
{
    /// <summary>Of the core in a field of a class; null if there is none of that shape.</summary>
    public static ValueTaskSourceLayout? InField(ClrType owner, string field, int pointerSize)
    {
        if (owner.GetFieldByName(field) is not { IsValueType: true, Type: { } core } found || FieldOffsets.Find(owner, pointerSize, field) is not { } offsets)
            return null;
        // Fields of a struct are counted from its beginning, and a struct has no method table before it.
        return FieldOffsets.Find(core, 0, "_continuationState", "_completed") is { } inner && found.Offset >= 0
            ? new(offsets[field] + inner["_continuationState"], offsets[field] + inner["_completed"])
            : null;
    }
}
