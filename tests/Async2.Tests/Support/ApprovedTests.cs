namespace Async2.Tests.Support;

public sealed class ApprovedTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("async2-approved-");

    private string File1 => Path.Join(_folder.FullName, "one.txt");

    [Fact]
    public void A_difference_fails_names_the_line_and_leaves_the_actual_text()
    {
        File.WriteAllText(File1, "a\nb\n");
        Exception failure = Assert.ThrowsAny<Exception>(() => Approved.Check(File1, "a\nc\n", accept: false));
        Assert.Contains("line 2", failure.Message);
        Assert.Equal("a\nc\n", File.ReadAllText(File1 + ".actual"));
        Assert.Equal("a\nb\n", File.ReadAllText(File1));
    }

    [Fact]
    public void A_missing_file_fails() => Assert.ThrowsAny<Exception>(() => Approved.Check(File1, "a", accept: false));

    [Fact]
    public void Accepting_replaces_and_then_the_same_text_passes_and_clears_the_actual_file()
    {
        File.WriteAllText(File1 + ".actual", "old");
        Approved.Check(File1, "new", accept: true);
        Approved.Check(File1, "new", accept: false);
        Assert.False(File.Exists(File1 + ".actual"));
    }

    public void Dispose() => _folder.Delete(recursive: true);
}
