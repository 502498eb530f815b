using Async2.Analysis.Layouts.Types;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts;

/// <summary>
/// <c>Microsoft.Extensions.Hosting.BackgroundService</c> (Microsoft.Extensions.Hosting.Abstractions 8 to 10): its <c>StartAsync</c> calls <c>ExecuteAsync</c>, once, and notes the task.
/// </summary>
internal static class HostedServiceLayout
{
    /// <summary>Full name of the class.</summary>
    public const string TypeName = "Microsoft.Extensions.Hosting.BackgroundService";

    /// <summary>Name of the field that has the task.</summary>
    public const string Started = "_executeTask";

    /// <summary>It derives from the class, which notes its task; other services do not.</summary>
    public static bool IsBackground(ClrType type) => BaseTypes.Find(type, TypeName) is not null;

    /// <summary>Offset of the task in an object of a class of services; null if that is not known.</summary>
    public static int? TaskOf(ClrType type, int pointerSize) => BaseTypes.Find(type, TypeName)?.GetFieldByName(Started) is { Offset: >= 0 } field ? pointerSize + field.Offset : null;
}
