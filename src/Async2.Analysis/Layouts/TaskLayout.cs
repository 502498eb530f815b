using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Targets.Memory;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts;

/// <summary>Where the fields of <c>System.Threading.Tasks.Task</c> are, and what its state bits mean.</summary>
internal sealed class TaskLayout
{
    public const string TypeName = "System.Threading.Tasks.Task";

    /// <summary>Task.TaskStateFlags.CompletedMask: RanToCompletion 0x1000000 | Canceled 0x400000 | Faulted 0x200000.</summary>
    public const uint CompletedMask = 0x1600000;

    /// <summary>A task without any of these waits for Start: CompletedMask, Started 0x10000, DelegateInvoked 0x20000, WaitingOnChildren 0x800000, WaitingForActivation 0x2000000.</summary>
    public const uint StartedMask = CompletedMask | 0x10000 | 0x20000 | 0x800000 | 0x2000000;

    private readonly int _pointerSize;

    private TaskLayout(FieldOffsets fields, int pointerSize)
    {
        _pointerSize = pointerSize;
        StateFlags = fields["m_stateFlags"];
        StateObject = fields["m_stateObject"];
        ContinuationObject = fields["m_continuationObject"];
        Size = fields.End;
    }

    /// <summary>Offset of <c>m_stateFlags</c>, an int.</summary>
    public int StateFlags { get; }

    /// <summary>Offset of <c>m_stateObject</c>: in a ThunkTask the head of its chain, and never cleared.</summary>
    public int StateObject { get; }

    /// <summary>
    /// Offset of <c>m_continuationObject</c>, who waits for the task: null, an Action, a task, a continuation wrapper, a
    /// List of these, or a plain object once the task has completed.
    /// </summary>
    public int ContinuationObject { get; }

    /// <summary>Bytes from the object's address that cover these fields.</summary>
    public int Size { get; }

    /// <summary>The layout of Task, asked of the type of an object that derives from it; null if it does not, or lacks a field.</summary>
    public static TaskLayout? Of(ClrType derived, int pointerSize)
        => BaseTypes.Find(derived, TypeName) is { } type
            && FieldOffsets.Find(type, pointerSize, "m_stateFlags", "m_stateObject", "m_continuationObject") is { } fields
            ? new TaskLayout(fields, pointerSize)
            : null;

    /// <summary>A reference field.</summary>
    public ulong Pointer(ReadOnlySpan<byte> bytes) => TargetMemory.PointerIn(bytes, _pointerSize);

    public static bool IsCompleted(uint stateFlags) => (stateFlags & CompletedMask) != 0;
}
