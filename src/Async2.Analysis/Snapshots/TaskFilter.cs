using Async2.Analysis.Stacks;

namespace Async2.Analysis.Snapshots;

/// <summary>Applies a query to stacks of plain tasks, which have neither threads nor modules nor lines.</summary>
/// <param name="query">What the user wants to see.</param>
/// <param name="objects">Answers what it asks of objects.</param>
internal sealed class TaskFilter(StackQuery query, ObjectMatch objects)
{
    public bool Matches(LogicalStack stack)
        => query is { Thread: null, Module: null }
            && (query.States.IsDefaultOrEmpty || query.States.Contains(stack.State))
            && (query.Address is not { } address || Has(stack, address))
            && (query.Task is not { } task || Has(stack, task))
            && (!objects.Asks || HasTyped(stack))
            && (query.WaitingOn is not { } wait || (stack.WaitingOn is { } awaited && wait.Matches(awaited.FullText)))
            && (query.Method is not { } method || HasMethod(stack, method))
            && query.With.All(pattern => HasMethod(stack, pattern))
            && !query.Without.Any(pattern => HasMethod(stack, pattern));

    private static bool Has(LogicalStack stack, ulong address) => stack.Frames.Any(frame => frame.Address == address);

    private static bool HasMethod(LogicalStack stack, TextPattern pattern) => stack.Frames.Any(frame => pattern.Matches(frame.Method));

    private bool HasTyped(LogicalStack stack) => stack.Frames.Any(frame => objects.Matches(frame.Address ?? 0)
        || (query is { MethodTable: null, ObjectType: { } name } && frame.Method.Contains(name, StringComparison.Ordinal)));
}
