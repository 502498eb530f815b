using System.Collections.Immutable;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model;
using Async2.Analysis.Words;

namespace Async2.Analysis.Query.Answers;

/// <summary>
/// Whether stacks of a model are those that a query asks for. What is asked of frames is asked once for each place, what is asked of
/// words once for each text. Frames of frameworks that are folded count as much as those that are shown; those of the runtime do not.
/// </summary>
internal sealed class StackMatcher
{
    private readonly AsyncModel _model;
    private readonly StackQuery _query;
    private readonly ImmutableArray<ShapeMatch> _with;
    private readonly ImmutableArray<ShapeMatch> _without;
    private readonly ShapeMatch? _typed;
    private readonly bool[] _types;
    private readonly Dictionary<string, bool> _texts = [];
    private readonly Dictionary<(int Wait, ulong Address), bool> _waits = [];

    /// <param name="model">The model.</param>
    /// <param name="query">What is asked for.</param>
    /// <param name="includeFramework">Frames of the runtime are shown, and so asked for, too.</param>
    public StackMatcher(AsyncModel model, StackQuery query, bool includeFramework)
    {
        _model = model;
        _query = query;
        IEnumerable<Predicate<LogicalFrame>> with = query.With.Select(pattern => (Predicate<LogicalFrame>)(frame => FrameTests.IsAt(pattern, frame)));
        if (query.Method is { } method)
            with = with.Append(frame => method.Matches(frame.Method));
        if (query.Module is { } module)
            with = with.Append(frame => FrameTests.IsOfModule(module, frame));
        _with = [.. with.Select(test => new ShapeMatch(model, includeFramework, test))];
        _without = [.. query.Without.Select(pattern => new ShapeMatch(model, includeFramework, frame => FrameTests.IsAt(pattern, frame)))];
        if (query is { ObjectType: { } name, MethodTable: null })
            _typed = new ShapeMatch(model, includeFramework, frame => frame.Method.Contains(name, StringComparison.Ordinal));
        _types = [.. model.Types.Types.Select(IsMeant)];
    }

    /// <summary>Whether a stack is one that is asked for.</summary>
    /// <exception cref="QueryException">A pattern takes too long.</exception>
    public bool Matches(int stack)
    {
        StackRow row = _model.Stacks.Rows[stack];
        return (_query.States.IsDefaultOrEmpty || _query.States.Contains(row.State))
            && (_query.Thread is not { } thread || _model.ThreadOf(stack) == thread)
            && (_query.Task is not { } task || HasTask(stack, task))
            && (_query.Address is not { } address || row.WaitAddress == address || HasTask(stack, address) || HasObject(stack, address))
            && (_query is { MethodTable: null, ObjectType: null } || _typed?.IsIn(row.Shape) == true || HasTyped(stack, row))
            && (_query.WaitingOn is not { } pattern || WaitsFor(stack, row, pattern))
            && _with.All(match => match.IsIn(row.Shape))
            && !_without.Any(match => match.IsIn(row.Shape));
    }

    private bool HasTask(int stack, ulong task)
    {
        if (_model.TaskOf(stack) == task)
            return true;
        for (int i = 0; i < _model.Stacks.NodeCount(stack); i++)
        {
            if (_model.Nodes.Addresses[_model.Stacks.NodeOf(stack, i)] == task)
                return true;
        }
        return false;
    }

    private bool HasObject(int stack, ulong address)
    {
        var objects = new StackObjects(_model, stack);
        while (objects.MoveNext())
        {
            if (objects.Address == address)
                return true;
        }
        return false;
    }

    private bool HasTyped(int stack, in StackRow row)
    {
        if (row.WaitAddress != 0 && _types[_model.Types.OfWaits.GetValueOrDefault(row.WaitAddress)])
            return true;
        for (int i = 0; i < _model.Stacks.NodeCount(stack); i++)
        {
            if (_types[_model.Types.OfNode(_model.Stacks.NodeOf(stack, i))])
                return true;
        }
        var objects = new StackObjects(_model, stack);
        while (objects.MoveNext())
        {
            if (objects.Position >= 0 && _types[_model.Types.OfSite(_model.Links.SiteOf(objects.Position))])
                return true;
        }
        return false;
    }

    // Of several conditions each holds.
    private bool IsMeant((ulong MethodTable, string? Name) type) => type.MethodTable != 0
        && (_query.MethodTable is not { } wanted || wanted == type.MethodTable)
        && (_query.ObjectType is not { } name || type.Name?.Contains(name, StringComparison.Ordinal) == true);

    private bool WaitsFor(int stack, in StackRow row, TextPattern pattern)
    {
        if (row.Wait < 0)
            return WaitMatches(stack, row, pattern);
        if (!_waits.TryGetValue((row.Wait, row.WaitAddress), out bool matches))
            _waits[(row.Wait, row.WaitAddress)] = matches = WaitMatches(stack, row, pattern);
        return matches;
    }

    private bool WaitMatches(int stack, in StackRow row, TextPattern pattern)
    {
        // A stack that waits for another one is shown as waiting for its task.
        if (row.Wait < 0)
            return _model.WaitsForNode(stack) >= 0 && IsText("Task", pattern);
        WaitingOn wait = _model.Stacks.Waits[row.Wait];
        return IsText(wait.Text, pattern) || (wait.Type is { } type && IsText(type, pattern))
            || (wait.Detail is not null && pattern.Matches(wait.FullText))
            || (row.WaitAddress != 0 && _model.Reasons.TryGetValue(row.WaitAddress, out WaitReason? reason) && pattern.Matches(WaitWords.Full(reason)));
    }

    private bool IsText(string text, TextPattern pattern)
    {
        if (!_texts.TryGetValue(text, out bool matches))
            _texts[text] = matches = pattern.Matches(text);
        return matches;
    }
}
