using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Metadata.Awaits;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts;

/// <summary>Where an awaiter of a state machine keeps the awaited object.</summary>
/// <param name="awaiter">The machine's field, <c>&lt;&gt;u__1</c>.</param>
/// <param name="start">Where it begins, from the beginning of the machine.</param>
/// <param name="declaredTypeOf">Name of a field's class by metadata; null if unknown.</param>
internal sealed class AwaiterSlot(ClrInstanceField awaiter, int start, Func<ClrInstanceField, string?> declaredTypeOf)
{
    private const string OfRuntime = "System.Runtime.CompilerServices.";

    private int? _offset;

    /// <summary>Name of the machine's field.</summary>
    public string Field => awaiter.Name!;

    /// <summary>The awaiter's type as the runtime spells it, without type arguments if it is the runtime's own; null if unknown.</summary>
    public string? Type => declaredTypeOf(awaiter) is { } name && name.StartsWith(OfRuntime, StringComparison.Ordinal) ? name : awaiter.Type?.Name;

    /// <summary>Of the reference, from the beginning of the machine; -1 if the awaiter holds none. Found when somebody asks: the awaiter's type may have to be looked for.</summary>
    public int Offset => _offset ??= AwaiterReference.IsFirstIn(declaredTypeOf(awaiter)) ? start : AwaiterReference.In(awaiter, start);
}

/// <summary>
/// The fields of one compiler-made state machine that say where it stopped. Names are the compiler's (<see cref="StateMachineNames"/>); offsets are from the beginning
/// of the machine: a struct's first byte, or the object's address.
/// </summary>
internal sealed class StateMachineLayout
{
    // Async iterators: the waiter for the next element.
    private const string PromiseField = "<>v__promiseOfValueOrEnd";

    private StateMachineLayout(ClrType type, int state, ValueTaskSourceLayout? promise, IReadOnlyList<AwaiterSlot> awaiters)
    {
        Type = type;
        State = state;
        Promise = promise;
        Awaiters = awaiters;
    }

    public ClrType Type { get; }

    /// <summary>Offset of the state, an int: -1 while it runs, from 0 the await it is suspended at; less in an iterator that rests.</summary>
    public int State { get; }

    /// <summary>Offset of the reference to the object whose method it is; -1 if there is none.</summary>
    public int This { get; private init; }

    /// <summary>Set for async iterators.</summary>
    public ValueTaskSourceLayout? Promise { get; }

    public IReadOnlyList<AwaiterSlot> Awaiters { get; }

    /// <param name="machine">Type of the machine.</param>
    /// <param name="header">Bytes before the first field: the pointer size in an object, 0 in a struct.</param>
    /// <param name="pointerSize">Of the target.</param>
    /// <param name="declaredTypeOf">Name of a field's class by metadata; asked when it is needed.</param>
    /// <returns>Null for a machine that no known compiler made.</returns>
    public static StateMachineLayout? Of(ClrType machine, int header, int pointerSize, Func<ClrInstanceField, string?> declaredTypeOf)
    {
        if (StateMachineNames.Of(name => machine.GetFieldByName(name) is not null) is not { } names || FieldOffsets.Find(machine, header, names.State) is not { } offsets)
            return null;
        ValueTaskSourceLayout? promise = header == 0 ? null : ValueTaskSourceLayout.InField(machine, PromiseField, pointerSize);
        IEnumerable<AwaiterSlot> awaiters = machine.Fields
            .Where(f => names.IsAwaiter(f.Name) && f.Offset >= 0)
            .Select(f => new AwaiterSlot(f, f.Offset + header, declaredTypeOf));
        int self = machine.GetFieldByName(names.This) is { IsObjectReference: true, Offset: >= 0 and var offset } ? offset + header : -1;
        return new StateMachineLayout(machine, offsets[names.State], promise, [.. awaiters]) { This = self };
    }
}
