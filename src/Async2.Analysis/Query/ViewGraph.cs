using System.Collections.Immutable;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;

namespace Async2.Analysis.Query;

/// <summary>
/// The graph as an answer shows it: between its stacks, each of which may stand for thousands, and what they wait for, are held up by, run on and
/// go on in. Edges are counted where stacks are; it is built for those that are asked for.
/// </summary>
public abstract class ViewGraph
{
    /// <summary>The edges that come from a stack; those within it are not among them.</summary>
    /// <param name="stack">Id of a stack of the answer, or of a node.</param>
    public abstract IEnumerable<ViewEdge> EdgesFrom(string stack);

    /// <summary>A node that is not a stack, by the id that edges have for it; null if there is none.</summary>
    public abstract ViewNode? Find(string id);

    /// <summary>Edges of some stacks, and of all that they lead to, each once.</summary>
    /// <param name="stacks">Ids of stacks.</param>
    /// <param name="met">Receives the nodes that are no stacks, in the order in which edges lead to them.</param>
    public IEnumerable<ViewEdge> EdgesOf(IEnumerable<string> stacks, ICollection<ViewNode> met)
    {
        var known = new HashSet<string>(StringComparer.Ordinal);
        var ahead = new Queue<string>();
        foreach (string from in stacks.Concat(Taken(ahead)))
        {
            foreach (ViewEdge edge in EdgesFrom(from))
            {
                yield return edge;
                if (edge.To is { } to && known.Add(to) && Find(to) is { } node)
                {
                    met.Add(node);
                    ahead.Enqueue(to);
                }
            }
        }
    }

    // Looked at when all stacks have been.
    private static IEnumerable<string> Taken(Queue<string> ahead)
    {
        while (ahead.TryDequeue(out string? next))
            yield return next;
    }
}

/// <summary>Edges of one kind from a stack, or a node, to another.</summary>
/// <param name="From">Id of a stack, <c>s1</c>, or of a node.</param>
/// <param name="Kind">What the two have to do with each other.</param>
/// <param name="To">Id of a stack or node; an address of neither is a task that the answer does not show. Null for all that are too many to be listed.</param>
/// <param name="Source">How it is known.</param>
/// <param name="Count">How many edges it stands for.</param>
public sealed record ViewEdge(string From, EdgeKind Kind, string? To, EdgeSource Source, long Count)
{
    /// <summary>To how many different ones, where they are not listed; 0 otherwise.</summary>
    public long Targets { get; init; }
}

/// <summary>A resource, context, combinator or thread.</summary>
/// <param name="Id">What edges call it: its address, <c>0x7f...</c>; a thread <c>t12</c>; the thread pool <c>pool</c>.</param>
/// <param name="Kind">What it is.</param>
public sealed record ViewNode(string Id, AsyncNodeKind Kind)
{
    /// <summary>Its address; null for threads and the thread pool.</summary>
    public ulong? Address { get; init; }

    /// <summary>What a resource is; <see cref="WaitKind.None"/> for others.</summary>
    public WaitKind ResourceKind { get; init; }

    /// <summary>C# name of its type.</summary>
    public string? Type { get; init; }

    /// <summary>By what the program knows it; of a context what it is.</summary>
    public string? Name { get; init; }

    /// <summary>Its state in words, <c>0 free, 3 waiting</c>.</summary>
    public string? Text { get; init; }

    /// <summary>How many nodes of the whole target wait for it.</summary>
    public long Waiting { get; init; }

    /// <summary>Managed ids of the threads that hold it.</summary>
    public ImmutableArray<int> HeldBy { get; init; } = [];

    /// <summary>Managed id of a thread.</summary>
    public int? Thread { get; init; }

    /// <summary>What a thread does; null where that is not known.</summary>
    public StackState? State { get; init; }

    /// <summary>Generation of the object, 0 to 2; null if it is unknown.</summary>
    public int? Generation { get; init; }

    /// <summary>Stacks that wait for it are distinguished from those that wait for another one of its kind.</summary>
    public bool IsShared { get; init; }
}
