using System.Collections.Immutable;
using Async2.Analysis.Model;

namespace Async2.Analysis.Query.Answers;

/// <summary>
/// Applies a query to stacks that are put together already: of plain tasks, and of a snapshot that somebody searches. A stack that
/// stands for several knows the objects of the first one only.
/// </summary>
public sealed class StackFilter
{
    private readonly StackQuery _query;
    private readonly ImmutableArray<FrameSearch> _with;
    private readonly ImmutableArray<FrameSearch> _without;
    private readonly ImmutableArray<(TextPattern Pattern, FrameSearch Frames)> _anywhere;

    /// <param name="query">What the user wants to see.</param>
    /// <param name="anywhere">For each of these, some frame or what the stack waits for.</param>
    public StackFilter(StackQuery query, ImmutableArray<TextPattern> anywhere = default)
    {
        _query = query;
        IEnumerable<FrameSearch> with = query.With.Select(pattern => new FrameSearch(frame => FrameTests.IsAt(pattern, frame)));
        if (query.Method is { } method)
            with = with.Append(new FrameSearch(frame => method.Matches(frame.Method)));
        if (query.Module is { } module)
            with = with.Append(new FrameSearch(frame => FrameTests.IsOfModule(module, frame)));
        _with = [.. with];
        _without = [.. query.Without.Select(pattern => new FrameSearch(frame => FrameTests.IsAt(pattern, frame)))];
        _anywhere = anywhere.IsDefault ? [] : [.. anywhere.Select(pattern => (pattern, new FrameSearch(frame => FrameTests.IsAt(pattern, frame))))];
    }

    /// <summary>Whether the user wants to see a stack.</summary>
    /// <exception cref="QueryException">A pattern takes too long.</exception>
    public bool Matches(LogicalStack stack)
        => (_query.Thread is not { } thread || stack.Thread == thread)
            && (_query.States.IsDefaultOrEmpty || _query.States.Contains(stack.State))
            && (_query.Address is not { } address || HasTask(stack, address) || stack.WaitingOn?.Address == address || HasObject(stack, address))
            && (_query.Task is not { } task || HasTask(stack, task))
            && (_query is { MethodTable: null, ObjectType: null } || HasTyped(stack))
            && (_query.WaitingOn is not { } wait || WaitsFor(stack, wait))
            && _with.All(search => search.AnyOf(stack.AllFrames))
            && !_without.Any(search => search.AnyOf(stack.AllFrames))
            && _anywhere.All(word => WaitsFor(stack, word.Pattern) || word.Frames.AnyOf(stack.AllFrames));

    private static bool WaitsFor(LogicalStack stack, TextPattern pattern)
        => stack.WaitingOn is { } wait && (pattern.Matches(wait.FullText) || pattern.Matches(wait.Type));

    private static bool HasTask(LogicalStack stack, ulong address) => stack.Task == address || stack.Tasks.Contains(address);

    private static bool HasObject(LogicalStack stack, ulong address)
    {
        for (int i = 0; i < stack.AllFrames.Count; i++)
        {
            if (stack.AllFrames.AddressAt(i) == address)
                return true;
        }
        return false;
    }

    // Nobody can tell the types of objects here; methods have theirs in their names.
    private bool HasTyped(LogicalStack stack)
        => _query is { MethodTable: null, ObjectType: { } name } && stack.AllFrames.Any(frame => frame.Method.Contains(name, StringComparison.Ordinal));
}
