// Made from QueryOptionTable by the tests: "npm run accept" writes it again.
using Microsoft.Diagnostics.DebugServices;

namespace Async2.Sos;

/// <summary>The options that choose stacks. Each is as it was typed: hosts have no types for their values.</summary>
public sealed partial class DumpAsync2Command
{
    // What stands for their values in help, which has to work without the library, too.
    internal static readonly (string Option, string Value)[] Values =
    [
        ("--limit", "N"),
        ("--group-by", "KEY"),
        ("--sort", "ORDER"),
        ("--method", "REGEX"),
        ("--module", "NAME"),
        ("--state", "STATE"),
        ("--waiting-on", "REGEX"),
        ("--with", "REGEX"),
        ("--without", "REGEX"),
        ("--address", "HEX"),
        ("--task", "HEX"),
        ("--methodtable", "HEX"),
        ("--type", "TEXT"),
        ("--thread", "ID"),
        ("--older-than", "TIME"),
        ("--request", "PATTERN"),
        ("--trace", "ID"),
        ("--label", "NAME[=VALUE]"),
        ("--finding", "ID"),
    ];

    [Option(Name = "--limit", Help = "Show at most N stacks or groups.")]
    public string? Limit { get; set; }

    [Option(Name = "--group-by", Help = "Show stacks in sections: method, waiting-on, state, module, leaf, route, trace, label:NAME.")]
    public string? GroupBy { get; set; }

    [Option(Name = "--sort", Help = "Which stacks come first: count, age.")]
    public string? Sort { get; set; }

    [Option(Name = "--method", Help = "Only stacks with a matching method, folded ones included.")]
    public string? Method { get; set; }

    [Option(Name = "--module", Help = "Only stacks with a frame of this module, with or without .dll.")]
    public string? Module { get; set; }

    [Option(Name = "--state", Help = "Only stacks in this state, or several with commas: awaiting, scheduled, active, blocked, deadlocked, completed.")]
    public string[]? State { get; set; }

    [Option(Name = "--waiting-on", Help = "Only stacks whose wait matches: name, details or type.")]
    public string? WaitingOn { get; set; }

    [Option(Name = "--with", Help = "Only stacks with a matching method or file:line; may be repeated.")]
    public string[]? With { get; set; }

    [Option(Name = "--without", Help = "Only stacks without a matching method or file:line; may be repeated.")]
    public string[]? Without { get; set; }

    [Option(Name = "--address", Aliases = ["-addr"], Help = "Only stacks with this object: a frame's, a task, or what they wait for.")]
    public string? Address { get; set; }

    [Option(Name = "--task", Help = "Only the stack with this task, by its address.")]
    public string? Task { get; set; }

    [Option(Name = "--methodtable", Aliases = ["-mt"], Help = "Only stacks with an object of this method table.")]
    public string? Methodtable { get; set; }

    [Option(Name = "--type", Help = "Only stacks with this text in the type of an object or in a frame's method.")]
    public string? Type { get; set; }

    [Option(Name = "--thread", Help = "Only stacks on this thread, by its managed id.")]
    public string? Thread { get; set; }

    [Option(Name = "--older-than", Help = "Only stacks that have provably waited for at least this time.")]
    public string? OlderThan { get; set; }

    [Option(Name = "--request", Help = "Only stacks that work for a request with this path or route; * stands for anything.")]
    public string? Request { get; set; }

    [Option(Name = "--trace", Help = "Only stacks of the trace whose id begins so.")]
    public string? Trace { get; set; }

    [Option(Name = "--label", Help = "Only stacks with this label: an AsyncLocal by its field, or culture, scope, activity and others; * stands for anything; may be repeated.")]
    public string[]? Label { get; set; }

    [Option(Name = "--finding", Help = "Only the stacks of a finding, by its id, or of all findings of a rule.")]
    public string? Finding { get; set; }

    private IEnumerable<(string Option, string Text)> Typed
        => new (string, string?[]?)[]
        {
            ("--limit", [Limit]),
            ("--group-by", [GroupBy]),
            ("--sort", [Sort]),
            ("--method", [Method]),
            ("--module", [Module]),
            ("--state", State),
            ("--waiting-on", [WaitingOn]),
            ("--with", With),
            ("--without", Without),
            ("--address", [Address]),
            ("--task", [Task]),
            ("--methodtable", [Methodtable]),
            ("--type", [Type]),
            ("--thread", [Thread]),
            ("--older-than", [OlderThan]),
            ("--request", [Request]),
            ("--trace", [Trace]),
            ("--label", Label),
            ("--finding", [Finding]),
        }.SelectMany(option => option.Item2?.OfType<string>().Select(text => (option.Item1, text)) ?? []);
}
