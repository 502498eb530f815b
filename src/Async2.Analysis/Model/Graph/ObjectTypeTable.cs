namespace Async2.Analysis.Model.Graph;

/// <summary>Types of the objects of a model, so that one can ask for stacks with an object of a type.</summary>
internal sealed class ObjectTypeTable
{
    /// <summary>Of nothing.</summary>
    public static ObjectTypeTable Empty { get; } = new() { Types = [default], OfNodes = [], OfSites = [], OfWaits = new Dictionary<ulong, int>() };

    /// <summary>By the number of a type: its method table and its name in the runtime's form. Number 0 stands for none.</summary>
    public required IReadOnlyList<(ulong MethodTable, string? Name)> Types { get; init; }

    /// <summary>Number of the type of each node's object; 0 if it is unknown.</summary>
    public required int[] OfNodes { get; init; }

    /// <summary>Number of the type of the frames' objects, by their site.</summary>
    public required int[] OfSites { get; init; }

    /// <summary>Of what stacks wait for, by address.</summary>
    public required IReadOnlyDictionary<ulong, int> OfWaits { get; init; }

    public int OfNode(int node) => (uint)node < (uint)OfNodes.Length ? OfNodes[node] : 0;

    public int OfSite(int site) => (uint)site < (uint)OfSites.Length ? OfSites[site] : 0;
}
