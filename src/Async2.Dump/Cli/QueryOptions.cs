using System.Collections.Immutable;
using System.CommandLine;
using Async2.Analysis.Model;
using Async2.Analysis.Query;

namespace Async2.Dump.Cli;

/// <summary>The options that say which stacks one wants to see.</summary>
internal sealed class QueryOptions
{
    private Option<int?> Limit { get; } = new("--limit") { Description = "Show at most N stacks or groups", HelpName = "N", CustomParser = result => Numbers.Positive(result, "--limit") };

    private Option<string?> GroupBy { get; } = new("--group-by") { HelpName = "KEY" };

    private Option<string?> Method { get; } = new("--method") { Description = "Only stacks with a method like this, folded ones included", HelpName = "REGEX" };

    private Option<string?> Module { get; } = new("--module") { Description = "Only stacks with a frame of this module", HelpName = "NAME" };

    private Option<string[]> State { get; } = List("--state", "STATE", null);

    private Option<string?> WaitingOn { get; } = new("--waiting-on") { Description = "Only stacks that wait for something like this", HelpName = "REGEX" };

    private Option<string[]> With { get; } = List("--with", "REGEX", "Only stacks with a method or file:line like this; may be repeated");

    private Option<string[]> Without { get; } = List("--without", "REGEX", "Only stacks without one; may be repeated");

    private Option<string?> Address { get; } = new("--address") { Description = "Only the stack with this object: a frame's, its task, or what it waits for", HelpName = "HEX" };

    private Option<string?> Task { get; } = new("--task") { Description = "Only the stack with this task, by its address", HelpName = "HEX" };

    private Option<int?> Thread { get; } = new("--thread") { Description = "Only stacks on this thread, by its managed id", HelpName = "ID", CustomParser = result => Numbers.Positive(result, "--thread") };

    // SOS's names, for those who come from there by way of a debugger's script.
    private Option<string?> MethodTable { get; } = new("--methodtable") { Hidden = true, HelpName = "HEX" };

    private Option<string?> Type { get; } = new("--type") { Hidden = true, HelpName = "TEXT" };

    /// <summary>In the order of help.</summary>
    public IEnumerable<Option> All => [Limit, GroupBy, Method, Module, State, WaitingOn, With, Without, Address, Task, Thread, MethodTable, Type];

    /// <summary>Says what the values are, which takes longer than to read most command lines: for help only.</summary>
    public void Describe()
    {
        GroupBy.Description = "Show stacks in sections: " + string.Join(", ", QueryValue.Words<StackGrouping>());
        State.Description = "Only stacks in this state, or several with commas: " + string.Join(", ", QueryValue.Words<StackState>());
    }

    /// <summary>What they mean.</summary>
    /// <exception cref="QueryException">A value makes no sense.</exception>
    public StackQuery Read(ParseResult parsed) => new()
    {
        Limit = parsed.GetValue(Limit),
        GroupBy = parsed.GetValue(GroupBy) is { } grouping ? QueryValue.Word<StackGrouping>(GroupBy.Name, grouping) : null,
        Method = Pattern(parsed, Method),
        Module = parsed.GetValue(Module) is { } module ? QueryValue.Name(Module.Name, module) : null,
        States = parsed.GetRequiredValue(State) is { Length: > 0 } states ? QueryValue.WordList<StackState>(State.Name, states) : [],
        WaitingOn = Pattern(parsed, WaitingOn),
        With = Patterns(parsed, With),
        Without = Patterns(parsed, Without),
        Address = parsed.GetValue(Address) is { } address ? QueryValue.Address(Address.Name, address) : null,
        Task = parsed.GetValue(Task) is { } task ? QueryValue.Address(Task.Name, task) : null,
        Thread = parsed.GetValue(Thread),
        MethodTable = parsed.GetValue(MethodTable) is { } table ? QueryValue.Address(MethodTable.Name, table) : null,
        ObjectType = parsed.GetValue(Type) is { } type ? QueryValue.Name(Type.Name, type) : null,
    };

    private static TextPattern? Pattern(ParseResult parsed, Option<string?> option)
        => parsed.GetValue(option) is { } text ? TextPattern.Parse(option.Name, text) : null;

    private static ImmutableArray<TextPattern> Patterns(ParseResult parsed, Option<string[]> option)
        => [.. parsed.GetRequiredValue(option).Select(text => TextPattern.Parse(option.Name, text))];

    private static Option<string[]> List(string name, string value, string? description)
        => new(name) { Description = description, HelpName = value, DefaultValueFactory = _ => [] };
}
