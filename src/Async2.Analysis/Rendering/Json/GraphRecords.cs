using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json.Serialization;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Query;

namespace Async2.Analysis.Rendering.Json;

/// <summary>Edges of one kind from a stack or resource to another.</summary>
internal sealed record EdgeRecord
{
    /// <summary>For reading.</summary>
    [JsonConstructor]
    public EdgeRecord()
    {
    }

    [SetsRequiredMembers]
    internal EdgeRecord(ViewEdge edge)
        => (From, Relation, To, Known, Count, Targets) = (edge.From, edge.Kind, edge.To, edge.Source, edge.Count, edge.Targets == 0 ? null : edge.Targets);

    [Description("Id of a stack, or of a resource or thread.")]
    public required string From { get; init; }

    [JsonConverter(typeof(KebabEnum<EdgeKind>))]
    public required EdgeKind Relation { get; init; }

    [Description("Id of a stack, resource or thread; an address that is none of these is a task that is not shown. Absent where there are too many to be listed.")]
    public string? To { get; init; }

    [Description("How it is known.")]
    [JsonConverter(typeof(KebabEnum<EdgeSource>))]
    public required EdgeSource Known { get; init; }

    [Description("How many edges it stands for.")]
    public required long Count { get; init; }

    [Description("To how many different ones, where these are not listed.")]
    public long? Targets { get; init; }
}

/// <summary>A semaphore, lock, channel, timer, socket or promise that stacks wait for, a context in which they go on, or a combinator such as WhenAll.</summary>
internal sealed record ResourceRecord
{
    /// <summary>For reading.</summary>
    [JsonConstructor]
    public ResourceRecord()
    {
    }

    [SetsRequiredMembers]
    internal ResourceRecord(ViewNode node)
    {
        (Id, Node, Address, Type, Name, Text) = (node.Id, node.Kind, WireRecords.Hex(node.Address), node.Type, node.Name, node.Text);
        Kind = node.ResourceKind == WaitKind.None ? null : node.ResourceKind;
        (Waiting, Generation, Shared) = (node.Waiting, node.Generation, node.IsShared ? true : null);
        HeldBy = node.HeldBy.IsDefaultOrEmpty ? null : node.HeldBy;
    }

    [Description("What edges call it: its address; the thread pool is pool.")]
    public required string Id { get; init; }

    [Description("What it is in the graph.")]
    [JsonConverter(typeof(KebabEnum<AsyncNodeKind>))]
    public required AsyncNodeKind Node { get; init; }

    [Description("Of a resource, what it is; a promise that somebody has to complete is a task.")]
    [JsonConverter(typeof(KebabEnum<WaitKind>))]
    public WaitKind? Kind { get; init; }

    public string? Address { get; init; }

    [Description("C# name of its type.")]
    public string? Type { get; init; }

    [Description("The name by which the program knows it, Orders._till; of a context what it is.")]
    public string? Name { get; init; }

    [Description("Its state: 0 free, 3 waiting.")]
    public string? Text { get; init; }

    [Description("How many nodes of the whole target wait for it, whatever is shown.")]
    public required long Waiting { get; init; }

    [Description("Managed ids of the threads that hold it.")]
    public IEnumerable<int>? HeldBy { get; init; }

    [Description("True if stacks that wait for it are not grouped with stacks that wait for another one of its kind.")]
    public bool? Shared { get; init; }

    [Description("Generation of the object, 0 to 2.")]
    public int? Generation { get; init; }
}

/// <summary>A thread.</summary>
internal sealed record ThreadRecord
{
    /// <summary>For reading.</summary>
    [JsonConstructor]
    public ThreadRecord()
    {
    }

    [SetsRequiredMembers]
    internal ThreadRecord(ViewNode node) => (Id, Thread, State) = (node.Id, node.Thread ?? 0, node.State);

    [Description("What edges call it, t12.")]
    public required string Id { get; init; }

    [Description("Its managed id.")]
    public required int Thread { get; init; }

    [JsonConverter(typeof(KebabEnum<StackState>))]
    public StackState? State { get; init; }
}
