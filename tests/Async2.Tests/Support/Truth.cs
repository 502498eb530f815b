using System.Text.Json;

namespace Async2.Tests.Support;

/// <summary>What a scenario program says about its own logical stacks (dumps/README.md).</summary>
/// <param name="Stacks">All of them.</param>
/// <param name="Marks">Lines of source by name, of a program that brings a situation about.</param>
internal sealed record Truth(IReadOnlyList<TruthStack> Stacks, IReadOnlyDictionary<string, int>? Marks = null)
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
internal sealed record TruthStack(string Scenario, string Stack, IReadOnlyList<TruthFrame> Frames, string? Wait = null);

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
