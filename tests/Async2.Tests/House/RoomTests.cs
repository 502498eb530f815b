using Async2.Tests.Support;

namespace Async2.Tests.House;

/// <summary>A folder is a room that one can hold in one's head.</summary>
public sealed class RoomTests
{
    private const int MostFiles = 25;

    [Theory]
    [InlineData("src/Async2.Analysis")]
    [InlineData("src/Async2.Dump")]
    [InlineData("src/Sos.Plugin")]
    public void No_folder_is_too_full(string project) => Rule.Holds(Repository.CSharpFiles(project)
        .GroupBy(path => Path.GetDirectoryName(path))
        .Where(folder => folder.Count() > MostFiles)
        .Select(folder => $"{folder.Key} has {folder.Count()} files"));

    [Fact]
    public void No_two_folders_need_each_other() => Rule.Holds(Rooms.ThatNeedEachOther(Compiled.Library(), "Async2.Analysis"));

    [Theory]
    [InlineData("Code", "Targets.Elf", "Targets", "Code.Awaits")]
    [InlineData("Code.Awaits", "Code.Locals", "Code.Locals", "Code.Awaits")]
    [InlineData("Code", "Code.Locals", "Code.Locals", "Code")]
    public void The_check_finds_two_that_do(string from, string to, string back, string again)
        => Assert.Single(Rooms.ThatNeedEachOther([Use(from, to), Use(back, again)], "Root"));

    [Fact]
    public void The_check_lets_one_way_pass()
        => Assert.Empty(Rooms.ThatNeedEachOther([Use("Code", "Targets.Elf"), Use("Code.Locals", "Code.Awaits"), Use("Code.Locals", "Targets")], "Root"));

    private static TypeUse Use(string from, string to) => new($"Root.{from}.A", $"Root.{from}", $"Root.{to}.B", $"Root.{to}", null, "");
}
