using System.Text.Json;

namespace Async2.Tests.Support;

/// <summary>What a scenario program says about its own logical stacks (dumps/README.md).</summary>
/// <param name="Stacks">All of them.</param>
/// <param name="Marks">Lines of source by name, of a program that brings a situation about.</param>
/// <param name="Damage">What the program damaged.</param>
/// <param name="Check">What the program's own check of its tasklets found.</param>
/// <param name="Threads">Those that block without async work.</param>
/// <param name="Requests">Without an answer, as their clients sent them.</param>
/// <param name="Ended">Answered.</param>
/// <param name="Left">Answered, and some of their work goes on.</param>
/// <param name="Ages">Ticks at which waits began, by their number, and then as many before which they have.</param>
internal sealed record Truth(
    IReadOnlyList<TruthStack> Stacks, IReadOnlyDictionary<string, int>? Marks = null, TruthDamage? Damage = null, TruthCheck? Check = null,
    IReadOnlyList<TruthThread>? Threads = null, IReadOnlyList<long>? Ages = null,
    IReadOnlyList<TruthRequest>? Requests = null, IReadOnlyList<TruthRequest>? Ended = null, IReadOnlyList<TruthRequest>? Left = null)
{
    private static readonly JsonSerializerOptions Options = new(JsonSerializerDefaults.Web);

    public static Truth Empty { get; } = new([]);

    public static Truth Parse(string json)
        => JsonSerializer.Deserialize<Truth>(json, Options) ?? throw new FormatException("the truth is null");
}

/// <param name="Scenario">Class of the scenario.</param>
/// <param name="Stack">Name of the stack in it.</param>
/// <param name="Frames">Innermost first.</param>
/// <param name="Wait">What the awaited object says about itself, with placeholders for what varies; null where nothing is claimed.</param>
/// <param name="State">In the tool's words; null where nothing is claimed.</param>
/// <param name="Leaf">What the innermost frame awaits, in a user's words.</param>
/// <param name="AwaitedBy">Names of stacks that await this one and are shown on their own.</param>
/// <param name="Count">How many look the same; null for one.</param>
/// <param name="Note">What a reader must know besides.</param>
internal sealed record TruthStack(
    string Scenario, string Stack, IReadOnlyList<TruthFrame> Frames, string? Wait = null,
    string? State = null, string? Leaf = null, IReadOnlyList<string>? AwaitedBy = null, int? Count = null, string? Note = null);

/// <param name="Method">Source name; of a lambda or local function the member that holds it.</param>
/// <param name="File">File name.</param>
/// <param name="Line">First line of the statement that awaits.</param>
/// <param name="Site">Which await of the method, where a line holds several.</param>
/// <param name="Kind">Set for frames that are state machines in both builds.</param>
/// <param name="Locals">Arguments and locals that the frame needs after its await, as far as recorded.</param>
internal sealed record TruthFrame(string Method, string File, int Line, int? Site = null, string? Kind = null, IReadOnlyList<TruthLocal>? Locals = null);

/// <param name="Name">As in source.</param>
/// <param name="Type">C# form without namespaces.</param>
/// <param name="Value">C# form; <c>{object}</c> for the address of an object.</param>
internal sealed record TruthLocal(string Name, string Type, string Value);

/// <param name="Name">Of the thread.</param>
/// <param name="Thread">Its managed id.</param>
/// <param name="Method">That blocks; of a lambda the member that holds it.</param>
/// <param name="Line">Of the call that blocks.</param>
/// <param name="Wait">What it waits for, with placeholders for what varies.</param>
/// <param name="HeldBy">Name of the thread that holds it; null for none.</param>
internal sealed record TruthThread(string Name, int Thread, string Method, int Line, string Wait, string? HeldBy = null);

/// <param name="Kind">Of the damage.</param>
/// <param name="Rule">That a problem must name.</param>
/// <param name="Stack">With the damaged tasklet; null when no stack suffers.</param>
/// <param name="Frame">Which of its frames, innermost first.</param>
internal sealed record TruthDamage(string Kind, string Rule, string? Stack, int Frame);

/// <param name="Tasklets">That owners lead to and that keep to all rules.</param>
/// <param name="Listed">Tasklets in the runtime's list.</param>
internal sealed record TruthCheck(long Tasklets, long Listed);

/// <param name="Method">GET.</param>
/// <param name="Path">Without the query.</param>
/// <param name="Query">With its question mark; empty for none.</param>
/// <param name="Route">The endpoint's pattern.</param>
/// <param name="Trace">The trace id that was sent.</param>
/// <param name="Tenant">The header that the program keeps in an AsyncLocal.</param>
/// <param name="Handler">The method that it stopped in.</param>
/// <param name="Stacks">How many logical stacks work for it.</param>
/// <param name="Sent">When, by the machine's tick count.</param>
internal sealed record TruthRequest(string Method, string Path, string Query, string Route, string Trace, string Tenant, string Handler, int Stacks, long Sent);
