using Async2.Analysis.Layouts.Types;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts;

/// <summary>What <c>System.Threading.Tasks.Task</c> keeps for those who rarely ask (System.Private.CoreLib 10.0.12).</summary>
/// <param name="Properties">A Task.ContingentProperties, or null.</param>
internal sealed record CompletionLayout(int Properties)
{
    public static CompletionLayout? Of(ClrType type, int pointerSize)
        => BaseTypes.Find(type, TaskLayout.TypeName) is { } task && FieldPath.Find(task, pointerSize, "m_contingentProperties") is { } field ? new(field) : null;
}

/// <summary><c>Task.ContingentProperties</c>.</summary>
/// <param name="Event">ManualResetEventSlim that is set when the task completes, made when somebody asks for AsyncWaitHandle; or null.</param>
internal sealed record CompletionEventLayout(int Event)
{
    public static CompletionEventLayout? Of(ClrType type, int pointerSize)
        => type.Name == TaskLayout.TypeName + "+ContingentProperties" && FieldPath.Find(type, pointerSize, "m_completionEvent") is { } field ? new(field) : null;
}

/// <summary>What stands behind a <c>ManualResetEventSlim</c>.</summary>
/// <param name="Handle">ManualResetEvent, made when somebody asks for WaitHandle; or null.</param>
internal sealed record EventHandleLayout(int Handle)
{
    /// <summary>The type of what <see cref="Handle"/> refers to: ManualResetEventSlim makes it itself.</summary>
    public const string HandleType = "System.Threading.ManualResetEvent";

    public static EventHandleLayout? Of(ClrType type, int pointerSize)
        => type.Name == "System.Threading.ManualResetEventSlim" && FieldPath.Find(type, pointerSize, "m_eventObj") is { } field ? new(field) : null;
}

/// <summary><c>Task.SetOnCountdownMres</c>: what a thread in Task.WaitAll blocks on.</summary>
/// <param name="Count">int, tasks that have not completed.</param>
internal sealed record CountdownTaskLayout(int Count)
{
    public const string TypeName = TaskLayout.TypeName + "+SetOnCountdownMres";

    public static CountdownTaskLayout? Of(ClrType type, int pointerSize)
        => type.Name == TypeName && FieldPath.Find(type, pointerSize, "_count") is { } field ? new(field) : null;
}
