using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Metadata.Awaits;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts.Waits;

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

/// <summary><c>System.Diagnostics.Process</c> (System.Diagnostics.Process 10.0.12).</summary>
/// <param name="Id">int.</param>
/// <param name="Exited">bool, known to have ended.</param>
internal sealed record ProcessLayout(int Id, int Exited)
{
    /// <summary>State machine of Process.WaitForExitAsync.</summary>
    public const string WaitForExit = "System.Diagnostics.Process+<WaitForExitAsync>";

    public static ProcessLayout? Of(ClrType type, int pointerSize)
        => BaseTypes.Find(type, "System.Diagnostics.Process") is { } process
            && FieldOffsets.Find(process, pointerSize, "_processId", "_exited") is { } fields
            ? new(fields["_processId"], fields["_exited"])
            : null;
}

/// <summary>Delegates: what they call.</summary>
/// <param name="Code">Where the code, or a stub that leads to it, is.</param>
/// <param name="CodeAux">The code of a static method; 0 else.</param>
internal sealed record DelegateLayout(int Code, int CodeAux)
{
    public static DelegateLayout? Of(ClrType type, int pointerSize)
        => BaseTypes.Find(type, "System.Delegate") is { } found && FieldOffsets.Find(found, pointerSize, "_methodPtr", "_methodPtrAux") is { } fields
            ? new(fields["_methodPtr"], fields["_methodPtrAux"])
            : null;
}
