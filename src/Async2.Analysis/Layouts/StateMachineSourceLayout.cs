using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Metadata.Awaits;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts;

/// <summary>
/// A suspended state machine, <c>AsyncTaskMethodBuilder+AsyncStateMachineBox</c> or <c>PoolingAsyncValueTaskMethodBuilder+StateMachineBox</c>
/// (System.Private.CoreLib 10.0.12), or an async iterator, which is its own box; and what the awaiters saved in it may hold.
/// </summary>
/// <param name="Machine">Type of the state machine: <c>Shop+&lt;OpenAsync&gt;d__3</c>.</param>
/// <param name="Awaited">Offsets of references that awaiters hold.</param>
/// <param name="Owner">Offset of the saved <c>this</c>.</param>
internal sealed record StateMachineSourceLayout(ClrType Machine, IReadOnlyList<int> Awaited, int? Owner)
{
    private const string Field = "StateMachine";
    private const int AwaiterLimit = 64;

    // TaskAwaiter, ConfiguredTaskAwaiter, ValueTaskAwaiter and the configured one.
    private static readonly string[][] Paths = [["m_task"], ["_value", "_obj"]];

    public static StateMachineSourceLayout? Of(ClrType type, int pointerSize)
    {
        if (type.Name?.Contains(Field + "Box", StringComparison.Ordinal) == true)
            return FieldPath.StructOf(type, Field) is { } machine ? In(type, machine, pointerSize, [Field]) : null;
        return type.GetFieldByName("<>v__promiseOfValueOrEnd") is null ? null : In(type, type, pointerSize, []);
    }

    private static StateMachineSourceLayout In(ClrType type, ClrType machine, int pointerSize, string[] before)
    {
        StateMachineNames? names = StateMachineNames.Of(name => machine.GetFieldByName(name) is not null);
        int[] awaited =
        [
            .. machine.Fields.Where(f => names?.IsAwaiter(f.Name) == true).Take(AwaiterLimit)
                .SelectMany(f => Paths.Select(path => FieldPath.Find(type, pointerSize, [.. before, f.Name!, .. path])))
                .OfType<int>(),
        ];
        return new(machine, awaited, FieldPath.Find(type, pointerSize, [.. before, (names ?? StateMachineNames.CSharp).This]));
    }
}
