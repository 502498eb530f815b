using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts;

/// <summary>What this runtime has: which async families, and where their fields are. Absent means absent in the target.</summary>
/// <param name="Task">Task; null only in a target that cannot be read at all.</param>
/// <param name="Continuation">runtime-async of the .NET 10 family; null when the program never suspended such a method.</param>
internal sealed record RuntimeLayout(TaskLayout? Task, ContinuationLayout? Continuation)
{
    public static RuntimeLayout Find(ClrRuntime runtime) => new(TaskLayout.Find(runtime), ContinuationLayout.Find(runtime));
}
