using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Layouts.Types;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts;

/// <summary>
/// .NET 11's <c>AsyncDispatcherInfo</c>: a struct in the stack frame of the method that resumes a chain, found by a thread static
/// whose name debuggers depend on (dotnet/runtime 005d4975, AsyncHelpers.CoreCLR.cs). Offsets are from its first byte.
/// </summary>
/// <param name="Current">The thread static: a pointer to the innermost one.</param>
/// <param name="Next">The next outer one of the same thread.</param>
/// <param name="NextContinuation">The continuation of the running method's caller; null while the outermost method runs.</param>
/// <param name="CurrentTask">The chain's task, set while a profiler or debugger listens; -1 if there is no such field.</param>
internal sealed record DispatcherLayout(ClrThreadStaticField Current, int Next, int NextContinuation, int CurrentTask)
{
    private const string TypeName = "System.Runtime.CompilerServices.AsyncDispatcherInfo";
    private const string Described = "AsyncDispatcherInfo";

    /// <param name="module">The one that has the method that resumes chains.</param>
    /// <param name="facts">What descriptions say.</param>
    /// <returns>Null if there is no such struct.</returns>
    public static DispatcherLayout? In(ClrModule module, LayoutFacts facts)
    {
        if (module.GetTypeByName(TypeName) is not { } type)
            return null;
        foreach (ClrThreadStaticField field in type.ThreadStaticFields)
        {
            if (field.Name == "t_current" && Offset(type, facts, "Next") is { } next && Offset(type, facts, "NextContinuation") is { } continuation)
                return new(field, next, continuation, Offset(type, facts, "CurrentTask") ?? -1);
        }
        return null;
    }

    // A struct has no method table in front.
    private static int? Offset(ClrType type, LayoutFacts facts, string name)
        => facts.Field(Described, name, FieldOffsets.Find(type, 0, name)?[name])?.Offset;
}
