using Async2.Analysis.Model.Graph;

namespace Async2.Tests.Analyses;

/// <summary>Parts of random graphs, against who reaches whom.</summary>
public sealed class StronglyConnectedTests
{
    [Fact]
    public void Two_nodes_are_in_one_part_if_they_reach_each_other()
    {
        var random = new Random(17);
        for (int round = 0; round < 500; round++)
        {
            int size = random.Next(1, 12);
            int[][] edges = [.. Enumerable.Range(0, size).Select(_ => Enumerable.Range(0, random.Next(0, 3)).Select(_ => random.Next(size)).ToArray())];
            bool[,] reaches = Reach(edges);
            var parts = new StronglyConnected(size, (node, position) => position < edges[node].Length ? edges[node][position] : -1);
            for (int node = 0; node < size; node++)
                parts.Visit(node);
            for (int a = 0; a < size; a++)
            {
                Assert.Equal(reaches[a, a], parts.PartOf(a) > 0);
                for (int b = 0; b < size; b++)
                    Assert.Equal(reaches[a, b] && reaches[b, a], parts.PartOf(a) > 0 && parts.PartOf(a) == parts.PartOf(b));
            }
        }
    }

    [Fact]
    public void A_cycle_of_a_million_nodes_is_one_part()
    {
        const int size = 1_000_000;
        var parts = new StronglyConnected(size, (node, position) => position == 0 ? (node + 1) % size : -1);
        parts.Visit(0);
        Assert.Equal((1, 1, 1), (parts.Parts, parts.PartOf(0), parts.PartOf(size - 1)));
    }

    private static bool[,] Reach(int[][] edges)
    {
        var reaches = new bool[edges.Length, edges.Length];
        for (int node = 0; node < edges.Length; node++)
        {
            foreach (int next in edges[node])
                reaches[node, next] = true;
        }
        for (int middle = 0; middle < edges.Length; middle++)
        {
            for (int a = 0; a < edges.Length; a++)
            {
                for (int b = 0; b < edges.Length; b++)
                    reaches[a, b] |= reaches[a, middle] && reaches[middle, b];
            }
        }
        return reaches;
    }
}
