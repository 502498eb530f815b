using System.Text.RegularExpressions;
using Async2.Analysis.Families;
using Async2.Analysis.Nodes;
using Async2.Tests.Support;

namespace Async2.Tests.House;

/// <summary>Seed runtimes and other languages live in their rooms, and all families in one list.</summary>
public sealed partial class FamilyTests
{
    // Layouts is the home of runtime type names; the others are words that users read.
    private static readonly string[] MayName = ["Families", "Layouts", "Model", "Rendering/Json"];

    [Fact]
    public void Each_kind_of_operation_has_one_family()
        => Assert.Equal(Enum.GetValues<NodeKind>(), AsyncFamilies.All.Select(family => family.Kind).Order());

    [Fact]
    public void Families_are_found_by_the_kind_of_a_row()
        => Assert.All(Enum.GetValues<NodeKind>(), kind => Assert.Equal(kind, AsyncFamilies.Of(new NodeRow(kind, 1, 0, 0, 0)).Kind));

    [Fact]
    public void Seed_runtimes_are_named_in_their_rooms_only() => Rule.Holds(
        from path in Repository.CSharpFiles("src/Async2.Analysis")
        where !MayName.Any(room => Path.GetRelativePath(Repository.PathOf("src/Async2.Analysis"), path).Replace('\\', '/').StartsWith(room + "/", StringComparison.Ordinal))
        from line in File.ReadLines(path).Select((text, number) => (text, number))
        where NamesSeed(line.text)
        select $"{path}:{line.number + 1}: {line.text.Trim()}");

    [Theory]
    [InlineData("        if (row.Kind == NodeKind.Tasklets)", true)]
    [InlineData("        if (row.IsThunk)", true)]
    [InlineData("using Async2.Analysis.Families.JitVariant;", true)]
    [InlineData("        if (row.Kind == NodeKind.FSharpAsync)", true)]
    [InlineData("    public AsyncNodeKind ModelKind => AsyncNodeKind.FSharpAsync;", false)]
    [InlineData("        LogicalFrame frame = Named(method, FrameKind.Tasklet, 0) with", false)]
    [InlineData("            if (IsThunk(method, deeper) || IsEntryOf(facts, frames))", false)]
    [InlineData("    // A tasklet of the async2 experiment.", false)]
    public void The_check_tells_them(string line, bool isWrong) => Assert.Equal(isWrong, NamesSeed(line));

    // .NET 10 has thunks, too: tasks and methods of the runtime's own.
    private static bool NamesSeed(string line) => !line.TrimStart().StartsWith("//", StringComparison.Ordinal) && Seed().IsMatch(line);

    [GeneratedRegex(@"(?<!FrameKind\.)(?<!ProblemCodes\.)\w*Tasklet|JitVariant|\.IsThunk\b|ThunkChain|ThunkDispatch|ThunkStateMachines|(?<!Async)NodeKind\.FSharpAsync")]
    private static partial Regex Seed();
}
