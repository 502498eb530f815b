using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json.Serialization;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Labels;

namespace Async2.Analysis.Rendering.Json;

/// <summary>The fields of every JSON form of a stack: one stack, or <see cref="Count"/> equal ones.</summary>
internal record StackFields
{
    private const int First = -2;

    /// <summary>For reading.</summary>
    [JsonConstructor]
    public StackFields()
    {
    }

    [SetsRequiredMembers]
    internal StackFields(LogicalStack stack)
    {
        (Id, Count, State, Thread, Idle) = (stack.Id, stack.Count, stack.State, stack.Thread, stack.Idle);
        Task = WireRecords.Hex(stack.Task);
        AwaitedBy = WireRecords.NotEmpty(stack.AwaitedBy);
        Labels = stack.Labels.IsEmpty ? null : stack.Labels.ToDictionary(label => label.Name, label => label.Value, StringComparer.Ordinal);
        Age = AgeRecord.Of(stack.Age, stack.Count);
    }

    [JsonPropertyOrder(First)]
    public required string Id { get; init; }

    [JsonPropertyOrder(First)]
    [Description("Number of equal stacks; more than 1 only if coalesced.")]
    public required long Count { get; init; }

    [JsonPropertyOrder(First)]
    [JsonConverter(typeof(KebabEnum<StackState>))]
    public required StackState State { get; init; }

    [JsonPropertyOrder(First)]
    [Description("Address of the task that completes when the outermost frame returns.")]
    public string? Task { get; init; }

    [JsonPropertyOrder(First)]
    [Description("Managed id of the thread that runs or blocks in it.")]
    public int? Thread { get; init; }

    [Description("Ids of separate stacks that wait for this one.")]
    public IEnumerable<string>? AwaitedBy { get; init; }

    [Description("Name of the framework's idle loop, Kestrel receive: it waits for a client.")]
    public string? Idle { get; init; }

    [Description("For whom it works: request (GET /orders/42), route, trace, span, activity, requestId, call (a request that it sends), scope, culture, and AsyncLocals of the program by Type.field. Of equal stacks those of the first that has one.")]
    public IReadOnlyDictionary<string, string>? Labels { get; init; }

    [Description("For how long it has waited, or has not moved: of equal stacks the oldest. Absent if nothing is known of that.")]
    public AgeRecord? Age { get; init; }
}

/// <summary>Where a label comes from.</summary>
internal sealed record LabelRecord([property: JsonConverter(typeof(KebabEnum<LabelSource>))] LabelSource Source)
{
    [Description("How many of the equal stacks have such a label, if not all.")]
    public long? Stacks { get; init; }

    [Description("How many values there are, if more than one.")]
    public long? Values { get; init; }

    /// <param name="label">The label.</param>
    /// <param name="count">How many equal stacks there are.</param>
    public static LabelRecord Of(StackLabel label, long count) => new(label.Source) { Stacks = label.Stacks == count ? null : label.Stacks, Values = label.Values == 1 ? null : label.Values };
}

/// <summary>What the innermost frame waits for, in every JSON form.</summary>
internal record WaitFields
{
    /// <summary>For reading.</summary>
    [JsonConstructor]
    public WaitFields()
    {
    }

    [SetsRequiredMembers]
    internal WaitFields(WaitingOn wait)
    {
        (Kind, Text, Type, Stack) = (wait.Kind, wait.FullText, wait.Type, wait.Stack);
        Address = WireRecords.Hex(wait.Address);
        (Resource, ResourceType, Name) = (WireRecords.Hex(wait.Resource?.Address), wait.Resource?.Type, wait.Resource?.Name);
        Pending = WireRecords.NotEmpty(wait.Pending);
    }

    [JsonConverter(typeof(KebabEnum<WaitKind>))]
    public required WaitKind Kind { get; init; }

    public required string Text { get; init; }

    public string? Address { get; init; }

    public string? Type { get; init; }

    [Description("Address of the semaphore, lock, channel or pool itself: the same for all its waiters.")]
    public string? Resource { get; init; }

    [Description("C# name of the resource's type.")]
    public string? ResourceType { get; init; }

    [Description("The program's name for the resource, Orders._till: a field, or a path of fields from a static one.")]
    public string? Name { get; init; }

    [Description("Id of the stack that this one waits for.")]
    public string? Stack { get; init; }

    [Description("Ids of the stacks that a combinator such as WhenAll still waits for.")]
    public IEnumerable<string>? Pending { get; init; }
}
