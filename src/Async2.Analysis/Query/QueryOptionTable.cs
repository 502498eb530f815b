using System.Collections.Immutable;
using Async2.Analysis.Model;
using static Async2.Analysis.Query.QueryRows;

namespace Async2.Analysis.Query;

/// <summary>
/// All filters, limits and groupings. The command lines of the tool, SOS and lldb, searches in debug adapters and in the
/// viewer, their help, completions and documentation are generated from it, or compared with it by a test (QueryTableTests).
/// </summary>
public static class QueryOptionTable
{
    /// <summary>All options, in help order.</summary>
    public static ImmutableArray<QueryOption> All { get; } =
    [
        Number("limit", "N", "Show at most N stacks or groups", query => query.Limit, (query, value) => query with { Limit = value }),
        Grouping("group-by", "KEY", "Show stacks in sections", query => query.GroupBy, (query, value) => query with { GroupBy = value }),
        Word("sort", "ORDER", "Which stacks come first", query => query.Sort, (query, value) => query with { Sort = value }),
        Pattern(
            "method", "Only stacks with a matching method, folded ones included", "Pay",
            query => query.Method, WithMethod, (stacks, pattern) => stacks.WithFrame(frame => pattern.Matches(frame.Method))),
        Name(
            "module", "NAME", "Only stacks with a frame of this module, with or without .dll", "Shop.dll",
            query => query.Module, (query, value) => query with { Module = value }, (stacks, name) => stacks.WithFrame(frame => FrameTests.IsOfModule(name, frame))),
        WordList("state", "STATE", "Only stacks in this state, or several with commas", query => query.States, WithStates, (stacks, states) => stacks.InState(states)),
        Pattern(
            "waiting-on", "Only stacks whose wait matches: name, details or type", "Semaphore",
            query => query.WaitingOn, (query, value) => query with { WaitingOn = value }, (stacks, pattern) => stacks.WaitingFor(pattern), "waiting:"),
        Patterns(
            "with", "Only stacks with a matching method or file:line", "Gateway.cs:17",
            query => query.With, (query, value) => query with { With = query.With.Add(value) }, (stacks, pattern) => stacks.WithFrame(frame => FrameTests.IsAt(pattern, frame))),
        Patterns(
            "without", "Only stacks without a matching method or file:line", "Cache",
            query => query.Without, (query, value) => query with { Without = query.Without.Add(value) }, (stacks, pattern) => Not(stacks.WithFrame(frame => FrameTests.IsAt(pattern, frame)))),
        Address(
            "address", "Only stacks with this object: a frame's, a task, or what they wait for",
            query => query.Address, (query, value) => query with { Address = value }, (stacks, address) => stacks.WithObject(address), "-addr"),
        Address(
            "task", "Only the stack with this task, by its address",
            query => query.Task, (query, value) => query with { Task = value }, (stacks, address) => stacks.WithTask(address)),
        Address(
            "methodtable", "Only stacks with an object of this method table",
            query => query.MethodTable, (query, value) => query with { MethodTable = value }, (stacks, table) => stacks.WithType(new StackQuery { MethodTable = table }), "-mt"),
        Name(
            "type", "TEXT", "Only stacks with this text in the type of an object or in a frame's method", "Order",
            query => query.ObjectType, (query, value) => query with { ObjectType = value }, Typed),
        Number(
            "thread", "ID", "Only stacks on this thread, by its managed id",
            query => query.Thread, (query, value) => query with { Thread = value }, (stacks, thread) => stacks.OnThread(thread)),
        Duration(
            "older-than", "TIME", "Only stacks that have provably waited for at least this time", "30s",
            query => query.OlderThan, (query, value) => query with { OlderThan = value }, (stacks, time) => stacks.OlderThan(time)),
        Name(
            "request", "PATTERN", "Only stacks that work for a request with this path or route; * stands for anything", "/orders/42",
            query => query.Request, (query, value) => query with { Request = value }, (stacks, pattern) => stacks.OfRequest(pattern)),
        Name(
            "trace", "ID", "Only stacks of the trace whose id begins so", "4bf92f35",
            query => query.Trace, (query, value) => query with { Trace = value }, (stacks, id) => stacks.OfTrace(id)),
        Names(
            "label", "NAME[=VALUE]", "Only stacks with this label: an AsyncLocal by its field, or culture, scope, activity and others; * stands for anything", "Tenant",
            query => query.Labels, (query, value) => query with { Labels = query.Labels.Add(value) }, (stacks, label) => stacks.WithLabel(label)),
        Name(
            "finding", "ID", "Only the stacks of a finding, by its id, or of all findings of a rule", "deadlock",
            query => query.Finding, (query, value) => query with { Finding = value }, (stacks, finding) => stacks.OfFinding(finding)),
    ];

    /// <summary>The options that select stacks: those of a search.</summary>
    public static IEnumerable<QueryOption> Filters => All.Where(option => option.IsFilter);

    // A second pattern narrows the result of the first.
    private static StackQuery WithMethod(StackQuery query, TextPattern value)
        => query.Method is null ? query with { Method = value } : query with { With = query.With.Add(value) };

    private static StackQuery WithStates(StackQuery query, ImmutableArray<StackState> values)
        => query with { States = [.. query.States.Concat(values).Distinct().Order()] };

    private static Predicate<int> Not(Predicate<int> test) => stack => !test(stack);

    private static Predicate<int> Typed(StackTests stacks, string name)
    {
        Predicate<int> ofObject = stacks.WithType(new StackQuery { ObjectType = name });
        Predicate<int> ofMethod = stacks.WithFrame(frame => frame.Method.Contains(name, StringComparison.Ordinal));
        return stack => ofMethod(stack) || ofObject(stack);
    }
}
