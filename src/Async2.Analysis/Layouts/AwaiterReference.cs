using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts;

/// <summary>
/// Where an awaiter holds what it awaits: <c>TaskAwaiter.m_task</c>, <c>ValueTaskAwaiter._value._obj</c>, and the same inside their
/// configured kinds (System.Private.CoreLib 10.0.12).
/// </summary>
internal static class AwaiterReference
{
    private const int Depth = 4;

    private static readonly HashSet<string> Known = new(StringComparer.Ordinal)
    {
        "System.Runtime.CompilerServices.TaskAwaiter",
        "System.Runtime.CompilerServices.TaskAwaiter`1",
        "System.Runtime.CompilerServices.ValueTaskAwaiter",
        "System.Runtime.CompilerServices.ValueTaskAwaiter`1",
        "System.Runtime.CompilerServices.ConfiguredTaskAwaitable+ConfiguredTaskAwaiter",
        "System.Runtime.CompilerServices.ConfiguredTaskAwaitable`1+ConfiguredTaskAwaiter",
        "System.Runtime.CompilerServices.ConfiguredValueTaskAwaitable+ConfiguredValueTaskAwaiter",
        "System.Runtime.CompilerServices.ConfiguredValueTaskAwaitable`1+ConfiguredValueTaskAwaiter",
    };

    /// <summary>An awaiter that begins with its reference: it is the first one that is declared, and references are laid out first.</summary>
    /// <param name="awaiter">Name in metadata; null if unknown.</param>
    public static bool IsFirstIn(string? awaiter) => awaiter is not null && Known.Contains(awaiter);

    /// <summary>Offset of the reference in an awaiter that is boxed, from the object's address; -1 if it holds none.</summary>
    public static int InBox(ClrType awaiter, int pointerSize)
        => awaiter.Fields.Where(f => f.IsObjectReference || f.IsValueType).MinBy(Preference) is { } field ? In(field, field.Offset + pointerSize) : -1;

    /// <param name="field">An awaiter, or a field of one.</param>
    /// <param name="offset">Where it begins.</param>
    /// <returns>Where the reference is; -1 if there is none.</returns>
    public static int In(ClrInstanceField field, int offset)
    {
        for (int depth = 0; depth < Depth; depth++)
        {
            // The runtime does not always know an instantiation that is only used here, and then its name is looked for in all modules; references are laid out first.
            if (field.IsObjectReference || IsValueTask(field) || (field.IsValueType && field.Type is null))
                return offset;
            if (!field.IsValueType || field.Type!.Fields.Where(f => f.IsObjectReference || f.IsValueType).MinBy(Preference) is not { } inner)
                return -1;
            field = inner;
            offset += inner.Offset;
        }
        return -1;
    }

    // ValueTask and ValueTask<T>: _obj is the first of their references.
    private static bool IsValueTask(ClrInstanceField field)
        => field is { IsValueType: true, Name: "_value", ContainingType.Name: { } awaiter } && awaiter.StartsWith("System.Runtime.CompilerServices.", StringComparison.Ordinal);

    private static int Preference(ClrInstanceField field) => field.Name switch
    {
        "m_task" or "_obj" => 0,
        "_value" => 1,
        _ => field.IsObjectReference ? 2 : 3,
    };
}
