using System.Collections.Immutable;
using Async2.Analysis.Awaiters;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Stacks.Frames;
using Async2.Analysis.Words;

namespace Async2.Analysis.Stacks;

/// <summary>
/// Applies a query to stacks while they are put together, before equal ones are counted: so each stack of a group is asked, and a
/// count is that of the stacks that match. No pattern runs once per stack; what is asked of frames is asked once per distinct frame.
/// </summary>
internal sealed class DraftFilter
{
    private readonly StackQuery _query;
    private readonly Func<int, ulong> _taskOf;
    private readonly Func<ulong, WaitReason?> _describe;
    private readonly ImmutableArray<FrameMatch> _with;
    private readonly ImmutableArray<FrameMatch> _without;
    private readonly Dictionary<string, bool> _waits = [];
    private readonly ObjectMatch _objects;
    private readonly FrameMatch? _typed;

    /// <param name="query">What the user wants to see.</param>
    /// <param name="table">The frames.</param>
    /// <param name="taskOf">Address of the task behind a node; 0 for none.</param>
    /// <param name="describe">What an awaited object says about itself; asked only when the query is about that.</param>
    /// <param name="types">Types of objects; null where nobody can tell.</param>
    public DraftFilter(StackQuery query, FrameTable table, Func<int, ulong> taskOf, Func<ulong, WaitReason?> describe, ObjectTypes? types = null)
    {
        _describe = describe;
        _query = query;
        _taskOf = taskOf;
        _objects = new ObjectMatch(query, types);
        if (query is { ObjectType: { } name, MethodTable: null })
            _typed = new FrameMatch(table, frame => frame.Method.Contains(name, StringComparison.Ordinal));
        IEnumerable<Predicate<LogicalFrame>> with = query.With.Select(pattern => (Predicate<LogicalFrame>)(frame => FrameTests.IsAt(pattern, frame)));
        if (query.Method is { } method)
            with = with.Append(frame => method.Matches(frame.Method));
        if (query.Module is { } module)
            with = with.Append(frame => FrameTests.IsOfModule(module, frame));
        _with = [.. with.Select(test => new FrameMatch(table, test))];
        _without = [.. query.Without.Select(pattern => new FrameMatch(table, frame => FrameTests.IsAt(pattern, frame)))];
    }

    /// <summary>Whether a stack is one that the user wants to see.</summary>
    public bool Matches(StackDraft draft)
        => (_query.States.IsDefaultOrEmpty || _query.States.Contains(draft.State))
            && (_query.Thread is not { } thread || draft.Thread == thread)
            && (_query.Task is not { } task || HasTask(draft, task))
            && (_query.Address is not { } address || HasTask(draft, address) || HasObject(draft, address))
            && (!_objects.Asks || _typed?.AnyOf(draft.AllFrames) == true || HasTyped(draft))
            && (_query.WaitingOn is not { } pattern || WaitsFor(draft, pattern))
            && HasFrames(draft.AllFrames);

    private bool HasFrames(List<StackFrame> frames)
    {
        foreach (FrameMatch match in _with)
        {
            if (!match.AnyOf(frames))
                return false;
        }
        foreach (FrameMatch match in _without)
        {
            if (match.AnyOf(frames))
                return false;
        }
        return true;
    }

    private bool HasTask(StackDraft draft, ulong task)
    {
        if (draft.Task == task)
            return true;
        foreach (StackPart part in draft.Parts)
        {
            if (_taskOf(part.Node) == task)
                return true;
        }
        return false;
    }

    private static bool HasObject(StackDraft draft, ulong address)
    {
        if (draft.WaitAddress == address)
            return true;
        foreach (StackFrame frame in draft.AllFrames)
        {
            if (frame.Address == address)
                return true;
        }
        return false;
    }

    private bool HasTyped(StackDraft draft)
    {
        if (_objects.Matches(draft.WaitAddress))
            return true;
        foreach (StackFrame frame in draft.AllFrames)
        {
            if (_objects.Matches(frame.Address))
                return true;
        }
        foreach (StackPart part in draft.Parts)
        {
            if (_objects.Matches(_taskOf(part.Node)))
                return true;
        }
        return false;
    }

    private bool WaitsFor(StackDraft draft, TextPattern pattern)
    {
        // A stack that waits for another one is shown as waiting for its task.
        if (draft.WaitingOn is not { } wait)
            return draft.WaitsForNode >= 0 && IsWait("Task", pattern);
        if (IsWait(wait.Text, pattern) || (wait.Type is { } type && IsWait(type, pattern)))
            return true;
        // Details differ from stack to stack: nothing to remember.
        return (wait.Detail is not null && pattern.Matches(wait.FullText))
            || (draft.WaitAddress is not 0 and var address && _describe(address) is { } reason && pattern.Matches(WaitWords.Full(reason)));
    }

    private bool IsWait(string text, TextPattern pattern)
    {
        if (!_waits.TryGetValue(text, out bool matches))
            _waits[text] = matches = pattern.Matches(text);
        return matches;
    }
}
