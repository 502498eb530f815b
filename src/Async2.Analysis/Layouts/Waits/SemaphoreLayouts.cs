using Async2.Analysis.Layouts.Types;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts.Waits;

/// <summary><c>System.Threading.SemaphoreSlim</c> (System.Private.CoreLib 10.0.12).</summary>
/// <param name="Free">int, what can be taken at once.</param>
/// <param name="Maximum">int; int.MaxValue when none was given.</param>
/// <param name="BlockedThreads">int, threads in Wait.</param>
/// <param name="Head">First of the asynchronous waiters.</param>
internal sealed record SemaphoreLayout(int Free, int Maximum, int BlockedThreads, int Head)
{
    /// <summary>SemaphoreSlim.NO_MAXIMUM.</summary>
    public const int NoMaximum = int.MaxValue;

    private const string TypeName = "System.Threading.SemaphoreSlim";

    public static SemaphoreLayout? Of(ClrType type, int pointerSize)
        => type.Name == TypeName
            && FieldOffsets.Find(type, pointerSize, "m_currentCount", "m_maxCount", "m_waitCount", "m_asyncHead") is { } fields
            ? new(fields["m_currentCount"], fields["m_maxCount"], fields["m_waitCount"], fields["m_asyncHead"])
            : null;
}

/// <summary>
/// A waiter in a list of waiters: <c>SemaphoreSlim+TaskNode</c> (ends with null), or an operation of a channel (a ring). Neither
/// knows whom it waits for.
/// </summary>
/// <param name="Next">Behind it in the queue.</param>
/// <param name="Previous">Before it in the queue.</param>
internal sealed record QueueNodeLayout(int Next, int Previous)
{
    private const string TaskNode = "System.Threading.SemaphoreSlim+TaskNode";

    public static QueueNodeLayout? OfTaskNode(ClrType type, int pointerSize)
        => type.Name == TaskNode && FieldOffsets.Find(type, pointerSize, "Next", "Prev") is { } fields ? new(fields["Next"], fields["Prev"]) : null;

    public static QueueNodeLayout? OfOperation(ClrType type, int pointerSize)
    {
        const string next = "<Next>k__BackingField", previous = "<Previous>k__BackingField";
        return FieldOffsets.Find(type, pointerSize, next, previous) is { } fields ? new(fields[next], fields[previous]) : null;
    }
}
