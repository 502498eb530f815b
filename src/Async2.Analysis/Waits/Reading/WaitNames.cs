using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Metadata.Names;
using Async2.Analysis.Model;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Reading;

/// <summary>Short names of awaited objects, for lists such as that of WhenAny.</summary>
internal sealed class WaitNames(Target target, WaitTable table)
{
    private const string OwnTask = "ThunkTask";

    private readonly LayoutCache<PlainTaskLayout> _plain = new(target.Runtime, PlainTaskLayout.Of);
    private readonly LayoutCache<StateMachineSourceLayout> _boxes = new(target.Runtime, StateMachineSourceLayout.Of);

    /// <summary><c>Task.Delay</c>, <c>TaskCompletionSource&lt;int&gt;</c>, <c>Task&lt;int&gt;</c>, <c>ShipAsync</c>; null for what cannot be read.</summary>
    public string? Of(ulong address)
    {
        var item = new HeapObject(target.Memory, address);
        if (item.MethodTable() is not (not 0 and var methodTable) || TypeLookup.Of(target.Runtime, methodTable) is not { Name: { } name } type)
            return null;
        if (table.NameOf(name)?.Api is { } api)
            return api;
        if (_plain.Of(item) is { } plain)
            return item.Reference(plain.Action) == 0 ? Promise(type) : OfType(type);
        return _boxes.Of(item) is { } box && MethodOf(box.Machine) is { } method ? method : OfType(type);
    }

    /// <summary>C# name without namespaces, null if it has none; the runtime's own task class is a Task to everybody else.</summary>
    public static string? OfType(ClrType type)
    {
        if (type.Name is not { } name)
            return null;
        string text = TypeName.Short(TypeName.FromRuntimeName(name));
        return text.StartsWith(OwnTask, StringComparison.Ordinal) ? string.Concat("Task", text.AsSpan(OwnTask.Length)) : text;
    }

    /// <summary>What has no more to say than its name.</summary>
    public static WaitReason ReasonOf(WaitKind kind, string? name) => new(kind, name, name is null ? WaitAction.TypeWithoutName : WaitAction.None);

    /// <summary>A task without a delegate is what a TaskCompletionSource hands out.</summary>
    public static string Promise(ClrType type) => string.Concat("TaskCompletionSource", OfType(type).AsSpan("Task".Length));

    /// <summary><c>ShipAsync</c> for a state machine <c>Shop+&lt;ShipAsync&gt;d__3</c>.</summary>
    public static string? MethodOf(ClrType machine)
    {
        string name = machine.Name ?? "";
        int start = name.LastIndexOf("+<", StringComparison.Ordinal) + 2;
        int end = start < 2 ? -1 : name.IndexOf('>', start);
        return end > start ? name[start..end] : null;
    }
}

/// <summary>A task of the framework's own kinds has more in it than this; the plain one is a delegate to run, or a promise.</summary>
/// <param name="Action">The delegate; null for a promise.</param>
/// <param name="StateFlags">int, Task.TaskStateFlags.</param>
/// <param name="ContinuationObject">Who waits for it.</param>
internal sealed record PlainTaskLayout(int Action, int StateFlags, int ContinuationObject)
{
    private const string TypeName = TaskLayout.TypeName;

    // Task.TaskStateFlags
    private const int Started = 0x10000;
    private const int DelegateInvoked = 0x20000;
    private const int WaitingOnChildren = 0x800000;

    public static PlainTaskLayout? Of(ClrType type, int pointerSize)
        => type.Name is { } name && (name == TypeName || name.StartsWith(TypeName + "<", StringComparison.Ordinal))
            && BaseTypes.Find(type, TypeName) is { } task
            && FieldOffsets.Find(task, pointerSize, "m_action", "m_stateFlags", "m_continuationObject") is { } fields
            ? new(fields["m_action"], fields["m_stateFlags"], fields["m_continuationObject"])
            : null;

    /// <summary>Its delegate has begun, which a promise does not have.</summary>
    public static bool HasRun(int stateFlags) => (stateFlags & DelegateInvoked) != 0;

    /// <summary>What a task with a delegate does.</summary>
    public static WaitFactKey Doing(int stateFlags)
        => TaskLayout.IsCompleted((uint)stateFlags) ? WaitFactKey.TaskCompleted
            : (stateFlags & WaitingOnChildren) != 0 ? WaitFactKey.TaskWaitsForChildren
            : (stateFlags & DelegateInvoked) != 0 ? WaitFactKey.TaskRunning
            : (stateFlags & Started) != 0 ? WaitFactKey.TaskQueued
            : WaitFactKey.TaskNotStarted;
}
