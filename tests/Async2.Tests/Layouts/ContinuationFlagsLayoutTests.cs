using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Descriptions;

namespace Async2.Tests.Layouts;

/// <summary>Which pointers of a .NET 11 continuation are contexts and exceptions, by the numbers of this runtime and not of another.</summary>
public sealed class ContinuationFlagsLayoutTests
{
    private static readonly ContinuationFlagsLayout Final = Of(("ExecutionContextIndex", 4, 2), ("ContinuationContextIndex", 6, 2), ("ExceptionIndex", 8, 3), ("ResultIndex", 11, 21));
    private static readonly ContinuationFlagsLayout Preview = Of(("ExecutionContextIndex", 3, 2), ("ContinuationContextIndex", 5, 2), ("ExceptionIndex", 7, 3), ("ResultIndex", 10, 22));

    // Execution context 1, context 2, exception 3, result 6.
    private const uint FinalFlags = 1 << 4 | 2 << 6 | 3 << 8 | 6 << 11;

    [Fact]
    public void Contexts_and_the_exception_are_excluded_and_the_result_is_not()
        => Assert.Equal([true, true, true, false, false, false, false], Enumerable.Range(0, 7).Select(i => Final.IsKept(FinalFlags, i)));

    [Fact]
    public void A_preview_counts_its_bits_otherwise()
    {
        Assert.Equal([true, true, true, false], Enumerable.Range(0, 4).Select(i => Preview.IsKept(FinalFlags >> 1, i)));
        Assert.NotEqual([true, true, true, false], Enumerable.Range(0, 4).Select(i => Preview.IsKept(FinalFlags, i)));
    }

    [Fact]
    public void Index_0_says_that_there_is_none() => Assert.DoesNotContain(true, Enumerable.Range(-1, 9).Select(i => Final.IsKept(0, i) && i >= 0));

    [Fact]
    public void Without_the_enum_nothing_is_known() => Assert.False(new ContinuationFlagsLayout(null, LayoutFacts.None).IsKept(FinalFlags, 0));

    [Fact]
    public void Built_in_layouts_replace_missing_metadata_and_files_have_priority()
    {
        LayoutFacts builtIn = LayoutFacts.None.Or(Baselines.Find("net11")!);
        Assert.True(new ContinuationFlagsLayout(null, builtIn).IsKept(FinalFlags, 2));
        var preview = new Dictionary<string, long> { ["ExceptionIndexFirstBit"] = 7, ["ExceptionIndexNumBits"] = 3 };
        Assert.True(new ContinuationFlagsLayout(preview, builtIn).IsKept(FinalFlags >> 1, 2));
        var file = new LayoutDescription
        {
            Source = new(LayoutSourceKind.File, "file"),
            Globals = new Dictionary<string, GlobalDescription> { ["ContinuationExceptionIndexFirstBit"] = new() { Number = 8 } },
        };
        Assert.True(new ContinuationFlagsLayout(preview, new LayoutFacts([file])).IsKept(FinalFlags, 2));
    }

    [Theory]
    [InlineData(-1, 2)]
    [InlineData(32, 1)]
    [InlineData(30, 3)]
    [InlineData(4, 0)]
    [InlineData(4, int.MaxValue)]
    public void Bits_of_no_valid_number_are_ignored(int first, int bits)
        => Assert.DoesNotContain(true, Enumerable.Range(0, 8).Select(i => Of(("ExceptionIndex", first, bits)).IsKept(uint.MaxValue, i)));

    private static ContinuationFlagsLayout Of(params (string Slot, int First, int Bits)[] slots) => new(slots
        .SelectMany(s => new[] { (s.Slot + "FirstBit", (long)s.First), (s.Slot + "NumBits", s.Bits) }).ToDictionary(p => p.Item1, p => p.Item2), LayoutFacts.None);
}
