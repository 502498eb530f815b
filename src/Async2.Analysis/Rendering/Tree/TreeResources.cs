using Async2.Analysis.Model;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Json;
using Async2.Analysis.Rendering.Text;

namespace Async2.Analysis.Rendering.Tree;

/// <summary>What stacks wait for in common, and who holds it.</summary>
/// <param name="Nodes">Resources that several stacks wait for, or that somebody holds; most waiters first.</param>
/// <param name="Edges">Who holds them, and what findings are about.</param>
internal sealed record TreeResources(ResourceRecord[] Nodes, EdgeRecord[] Edges)
{
    // A first page must not grow with the number of connections of a server.
    private const int NodeLimit = 2000;

    public static TreeResources Of(StackView view)
    {
        if (view.Graph is not { } graph)
            return new([], []);
        var waiters = new Dictionary<ulong, long>();
        foreach (LogicalStack stack in view.Stacks)
        {
            if (AddressOf(stack) is { } address)
                waiters[address] = waiters.GetValueOrDefault(address) + stack.Count;
        }
        IEnumerable<ulong> accused = view.Findings.SelectMany(finding => finding.Evidence).Select(step => step.To).OfType<ulong>();
        ulong[] addresses = [.. accused.Concat(waiters.OrderByDescending(pair => pair.Value).ThenBy(pair => pair.Key).Take(NodeLimit).Select(pair => pair.Key)).Distinct()];
        var edges = new List<EdgeRecord>();
        var nodes = new List<ResourceRecord>();
        foreach (ulong address in addresses)
        {
            ViewEdge[] holders = [.. graph.EdgesFrom(DisplayText.Hex(address)).Where(edge => edge is { Kind: EdgeKind.HeldBy, To: not null })];
            edges.AddRange(holders.Select(edge => new EdgeRecord(edge)));
            if ((holders.Length > 0 || waiters.GetValueOrDefault(address) > 1) && graph.Find(DisplayText.Hex(address)) is { Kind: AsyncNodeKind.Resource } node)
                nodes.Add(Safe(node));
        }
        return new([.. nodes.OrderByDescending(node => node.Waiting)], [.. edges]);
    }

    // The semaphore itself; else the awaited object, which may be a lock or an event.
    private static ulong? AddressOf(LogicalStack stack) => stack.WaitingOn is { IsDone: false } wait ? wait.Resource?.Address ?? (stack.Count == 1 || wait.Kind is WaitKind.Lock or WaitKind.Event ? wait.Address : null) : null;

    private static ResourceRecord Safe(ViewNode node)
    {
        var record = new ResourceRecord(node);
        return record with { Type = SafeText.Escape(record.Type), Name = SafeText.Escape(record.Name), Text = SafeText.Escape(record.Text) };
    }
}
