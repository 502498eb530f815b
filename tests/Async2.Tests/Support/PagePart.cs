namespace Async2.Tests.Support;

/// <summary>A part of a page of documentation that is made, between two comments that say so.</summary>
internal static class PagePart
{
    /// <summary>Compares the part with what it has to be; the rest of the page is its authors'.</summary>
    /// <param name="page">Path within the repository.</param>
    /// <param name="name">What the first comment names.</param>
    /// <param name="text">What has to stand there, with the end of its last line.</param>
    public static void Check(string page, string name, string text)
    {
        string path = Repository.PathOf(page.Split('/')), whole = File.ReadAllText(path), begin = $"<!-- made by the tests: {name} -->\n", end = "<!-- end -->";
        int start = whole.IndexOf(begin, StringComparison.Ordinal) + begin.Length;
        Assert.True(start >= begin.Length, $"{page} has no line {begin}");
        Approved.CheckGenerated(path, whole[..start] + text + whole[whole.IndexOf(end, start, StringComparison.Ordinal)..]);
    }
}
