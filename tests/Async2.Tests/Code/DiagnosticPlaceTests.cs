using Async2.Analysis.Code.DebugInfo;
using Async2.Analysis.Model.Frames;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Code;

/// <summary>
/// Which await a place in native code stands for. Bounds are drawn as <c>native:il</c> with a mark: <c>a</c> a suspension, <c>c</c>
/// the instruction of a call, <c>e</c> an empty stack. What is awaited is called 5 bytes before the await.
/// </summary>
public sealed class DiagnosticPlaceTests
{
    private const string Two = "8 call Shop.Pay ; 14 call Shop.Send";

    [Theory]
    // The suspension's own mark, wherever the JIT put it.
    [InlineData("0:0e 10:3c 20:9e 90:3a", 95, Two, "3 Exact")]
    [InlineData("0:0e 20:9e 90:14a", 90, Two, "14 Exact")]
    // The instruction of a call says nothing about what is behind it.
    [InlineData("0:0e 90:3a 92:9c", 95, Two, "3 Exact")]
    // Two at one place: the suspension's.
    [InlineData("90:3a 90:9e", 90, Two, "3 Exact")]
    [InlineData("90:9e 90:3a", 90, Two, "3 Exact")]
    // A mark without IL is looked through.
    [InlineData("90:3a 94:-1e", 95, Two, "3 Exact")]
    // Marked as a suspension of something that is not an await here: inlined. The only await of the statement.
    [InlineData("0:0e 20:9e 90:1a", 95, Two, "1 Exact")]
    // The same of a statement with two.
    [InlineData("0:0e 90:0a", 95, Two, "0 Approximate")]
    // Marks of suspensions exist, and this is none.
    [InlineData("0:0e 20:9e", 95, Two, "9 Approximate")]
    // Debug info that has no sources.
    [InlineData("0:0 20:9", 25, Two, "9 Exact")]
    [InlineData("0:0 20:20", 5, Two, "0 Approximate")]
    // Nothing known, and only one await that it can be; or several.
    [InlineData("", 5, "8 call Shop.Pay", "8 Exact")]
    [InlineData("", 5, Two, "none None")]
    [InlineData("10:0", 5, Two, "none None")]
    // IL is unreadable.
    [InlineData("0:0e 90:3a", 95, "", "3 Approximate")]
    public void The_place_determines_the_await(string bounds, uint native, string awaits, string expected)
    {
        DiagnosticPlace place = DiagnosticPlace.Of(Bounds(bounds), native, AwaitDrawing.Sites(awaits));
        Assert.Equal(expected, $"{place.ILOffset?.ToString() ?? "none"} {place.Exactness}");
        if (place.Exactness == Exactness.Exact)
            Assert.NotNull(place.Site);
    }

    private static ILMappingEntry[] Bounds(string drawing) => [.. from word in drawing.Split(' ', StringSplitOptions.RemoveEmptyEntries)
        let parts = word.TrimEnd('a', 'c', 'e').Split(':')
        let source = word[^1] switch { 'a' => ILMappingSource.Async, 'c' => ILMappingSource.CallInstruction, 'e' => ILMappingSource.StackEmpty, _ => ILMappingSource.None }
        select new ILMappingEntry(uint.Parse(parts[0]), int.Parse(parts[1]), source)];
}
