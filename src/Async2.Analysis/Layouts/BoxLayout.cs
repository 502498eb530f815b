using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Metadata.Awaits;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts;

/// <summary>
/// Where a state machine is in its box: AsyncTaskMethodBuilder's AsyncStateMachineBox and PoolingAsyncValueTaskMethodBuilder's
/// StateMachineBox have it in a field <c>StateMachine</c>: the struct itself, or a reference where the machine is a class (async
/// iterators, unoptimised code). Objects of other method builders have it in a field of any name; they are generic in its type.
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

    // The C# and Visual Basic compilers name state machines so: Type+<Method>d__3, Type+VB$StateMachine_3_Method.
    private static readonly string[] MachineNameParts = [">d__", "+VB$StateMachine_"];

    /// <summary>Bytes of the struct, or of the reference.</summary>
    public int MachineSize { get; private init; }

    /// <summary>Whether a method builder that is not the runtime's keeps state machines in objects of this type.</summary>
    public static bool IsCustom(ClrType type)
        => type is { IsValueType: false, Name: { } name } && name.EndsWith('>') && IsOfStateMachine(name) && CustomField(type) is not null;

    private static bool IsOfStateMachine(string name) => Array.Exists(MachineNameParts, part => name.Contains(part, StringComparison.Ordinal));

    // A struct, or a reference to a class that only the object itself names.
    private static ClrInstanceField? CustomField(ClrType type)
    {
        foreach (ClrInstanceField field in type.Fields)
        {
            if (field.IsObjectReference ? field.Type?.Name is null or "System.__Canon" : field.Type is { IsValueType: true } inner && StateMachineNames.Of(name => inner.GetFieldByName(name) is not null) is not null)
                return field;
        }
        return null;
    }

    /// <summary>Null if the type is shaped differently.</summary>
    public static BoxLayout? Of(ClrType box, int pointerSize)
    {
        if ((box.GetFieldByName(StateMachineField) ?? CustomField(box)) is not { Name: { } name } field || FieldOffsets.Find(box, pointerSize, name) is not { } offsets)
            return null;
        bool isReference = field.IsObjectReference;
        if (!isReference && field.Type is null)
            return null;
        return new BoxLayout(offsets[name], isReference, isReference ? null : field.Type, ValueTaskSourceLayout.InField(box, SourceField, pointerSize)) { MachineSize = field.Size };
    }
}
