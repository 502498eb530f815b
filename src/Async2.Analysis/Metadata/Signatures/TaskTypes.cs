namespace Async2.Analysis.Metadata.Signatures;

/// <summary>The four types that the runtime compiles awaits of; classes derived from Task do not count.</summary>
internal static class TaskTypes
{
    public static bool IsTask(TypeId? type) => type?.FullName is
        "System.Threading.Tasks.Task" or "System.Threading.Tasks.Task`1"
        or "System.Threading.Tasks.ValueTask" or "System.Threading.Tasks.ValueTask`1";
}
