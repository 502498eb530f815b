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
        => type is { IsValueType: false, Name: { } name } && name.EndsWith('>') && IsOfStateMachine(name) && !IsStateMachine(type) && CustomField(type) is not null;

    // An iterator of a generic method is named like this, too; the types of its fields would be looked for by their names in all modules.
    private static bool IsStateMachine(ClrType type) => StateMachineNames.Of(name => type.GetFieldByName(name) is not null) is not null;

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
    /// <param name="box">The type.</param>
    /// <param name="pointerSize">Of the target.</param>
    /// <param name="argument">Its last type argument; null if that is unknown.</param>
    public static BoxLayout? Of(ClrType box, int pointerSize, ClrType? argument)
    {
        ClrInstanceField? own = box.GetFieldByName(StateMachineField);
        if ((own ?? CustomField(box)) is not { Name: { } name } field || FieldPath.Find(box, pointerSize, name) is not { } offset)
            return null;
        ValueTaskSourceLayout? source = ValueTaskSourceLayout.InField(box, SourceField, pointerSize);
        if (field.IsObjectReference)
            return new BoxLayout(offset, true, null, source) { MachineSize = pointerSize };
        // The type of a field is looked for by its name; that of the argument is known.
        ClrType? machine = own is not null && argument is { IsValueType: true } && StateMachineNames.Of(part => argument.GetFieldByName(part) is not null) is not null ? argument : field.Type;
        // A boxed struct has the object's header, too.
        return machine is null ? null : new BoxLayout(offset, false, machine, source) { MachineSize = machine.StaticSize - (2 * pointerSize) };
    }
}
