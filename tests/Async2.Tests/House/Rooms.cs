namespace Async2.Tests.House;

/// <summary>Finds folders that need each other, at any depth: neither can be read, tested or taken out without the other.</summary>
internal static class Rooms
{
    /// <summary>A sentence for each pair, with one use each way.</summary>
    /// <param name="uses">Uses in a built assembly; namespaces are folders.</param>
    /// <param name="root">The assembly's root namespace. What lies there itself is the door, and knows all.</param>
    public static IReadOnlyList<string> ThatNeedEachOther(IEnumerable<TypeUse> uses, string root)
    {
        var needs = new Dictionary<(string From, string To), TypeUse>();
        foreach (TypeUse use in uses.Where(use => IsIn(use.FromNamespace, root) && IsIn(use.ToNamespace, root)))
        {
            if (Parted(use.FromNamespace, use.ToNamespace) is var (from, to) && from != root)
                needs.TryAdd((from, to), use);
        }
        return [.. from need in needs
                where string.CompareOrdinal(need.Key.From, need.Key.To) < 0 && needs.ContainsKey((need.Key.To, need.Key.From))
                let back = needs[(need.Key.To, need.Key.From)]
                orderby need.Key.From, need.Key.To
                select $"{need.Key.From} and {need.Key.To}: {need.Value.From} uses {need.Value.To}, {back.From} uses {back.To}"];
    }

    private static bool IsIn(string space, string root) => space == root || space.StartsWith(root + ".", StringComparison.Ordinal);

    // The two folders in which the ways to both part. What lies in a folder itself is one room, each of its folders another.
    private static (string From, string To)? Parted(string from, string to)
    {
        if (from == to)
            return null;
        string[] one = from.Split('.'), other = to.Split('.');
        int shared = one.Zip(other).TakeWhile(pair => pair.First == pair.Second).Count();
        return (Room(one, shared), Room(other, shared));
    }

    private static string Room(string[] parts, int shared) => string.Join('.', parts.Take(shared + 1));
}
