namespace Async2.Benchmarks.Results;

/// <summary>docs/performance.md: the part between two marks belongs to the program, the rest to people.</summary>
internal static class PerformancePage
{
    private const string Start = "<!-- bench -->";
    private const string End = "<!-- /bench -->";

    /// <exception cref="BenchException">The marks are missing.</exception>
    public static void Put(string text)
    {
        string path = Repository.PathOf("docs", "performance.md");
        string page = File.ReadAllText(path);
        int start = page.IndexOf(Start, StringComparison.Ordinal);
        int end = page.IndexOf(End, StringComparison.Ordinal);
        if (start < 0 || end < start)
            throw new BenchException($"{path} has no part between {Start} and {End}");
        File.WriteAllText(path, $"{page[..(start + Start.Length)]}\n{text.TrimEnd()}\n{page[end..]}");
    }
}
