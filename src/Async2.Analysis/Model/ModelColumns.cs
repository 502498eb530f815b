using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Graph;

namespace Async2.Analysis.Model;

/// <summary>The columns of an <see cref="AsyncModel"/>.</summary>
internal sealed class ModelColumns
{
    private ModelGraph? _graph;

    /// <summary>For a target without anything async.</summary>
    public static ModelColumns Empty { get; } = new()
    {
        Nodes = new NodeTable { Addresses = [], Kinds = [], Heads = [], Threads = [] },
        Awaits = new AsyncGraph(0),
        Stacks = StackTable.Empty,
        Links = new FrameLinks([], [], []),
        Reasons = new Dictionary<ulong, WaitReason>(),
        Types = ObjectTypeTable.Empty,
    };

    public required NodeTable Nodes { get; init; }

    public required AsyncGraph Awaits { get; init; }

    public required StackTable Stacks { get; init; }

    public required FrameLinks Links { get; init; }

    /// <summary>The state of an awaited object, by its address.</summary>
    public required IReadOnlyDictionary<ulong, WaitReason> Reasons { get; init; }

    /// <summary>What is behind what stacks await, by its address: read when all reasons are known.</summary>
    public IReadOnlyDictionary<ulong, WaitResource> Resources { get; init; } = new Dictionary<ulong, WaitResource>();

    public required ObjectTypeTable Types { get; init; }

    /// <summary>What is known of resources, threads and contexts besides.</summary>
    public GraphFacts Facts { get; init; } = GraphFacts.None;

    /// <summary>All of it as nodes and edges.</summary>
    public ModelGraph Graph => _graph ??= new(this);

    /// <summary>The same with other reasons and facts.</summary>
    public ModelColumns With(IReadOnlyDictionary<ulong, WaitReason> reasons, GraphFacts facts)
        => new() { Nodes = Nodes, Awaits = Awaits, Stacks = Stacks, Links = Links, Reasons = reasons, Resources = Resources, Types = Types, Facts = facts };

    /// <summary>The same with other stacks.</summary>
    public ModelColumns With(StackTable stacks)
        => new() { Nodes = Nodes, Awaits = Awaits, Stacks = stacks, Links = Links, Reasons = Reasons, Resources = Resources, Types = Types, Facts = Facts };

    /// <summary>The same with what is behind what stacks await.</summary>
    public ModelColumns With(IReadOnlyDictionary<ulong, WaitResource> resources)
        => new() { Nodes = Nodes, Awaits = Awaits, Stacks = Stacks, Links = Links, Reasons = Reasons, Resources = resources, Types = Types, Facts = Facts };
}
