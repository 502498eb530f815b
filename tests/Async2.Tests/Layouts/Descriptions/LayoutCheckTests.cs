using System.Text;
using Async2.Analysis.Layouts.Checks;
using Async2.Analysis.Layouts.Descriptions;

namespace Async2.Tests.Layouts.Descriptions;

/// <summary>What is missing, and what does not agree, is named; a description that is only different is fine.</summary>
public sealed class LayoutCheckTests
{
    private const string Tasklets = "async2/unwinder-v4";

    [Theory]
    [InlineData(Tasklets, "\"contracts\":{\"Async2Tasklets\":7}", "contract Async2Tasklets 7 is not understood (1, 2, 3 are)")]
    [InlineData("net11", "\"contracts\":{\"Async2Continuations\":\"c3\"}", "contract Async2Continuations 3 is not understood (1, 2 are)")]
    [InlineData(Tasklets, "\"types\":{\"Tasklet\":{\"RestoreIP\":null}}", "Tasklet.RestoreIP is not described, and contract Async2Tasklets 1 needs it")]
    [InlineData("net11", "\"types\":{\"AsyncResumeInfo\":{\"DiagnosticIP\":null}}", "AsyncResumeInfo.DiagnosticIP is not described, and contract Async2Continuations 2 needs it")]
    [InlineData(Tasklets, "\"globals\":{\"TaskletRegisterNames\":null}", "TaskletRegisterNames is not described, and contract Async2Tasklets 1 needs it")]
    [InlineData(Tasklets, "\"globals\":{\"TaskletSentinel\":null,\"TaskletOwnerTypes\":null}", "nothing says where contract Async2Tasklets 1 begins: TaskletOwnerTypes and TaskletOwnerChainField, or TaskletSentinel")]
    [InlineData("async2/unwinder-v2", "\"globals\":{\"TaskletOwnerChainField\":null}", "nothing says where contract Async2Tasklets 3 begins: TaskletOwnerTypes and TaskletOwnerChainField")]
    [InlineData(Tasklets, "\"types\":{\"Tasklet\":{\"RestoreIP\":[44,\"pointer\"],\"ReturnType\":null}}", "Tasklet.StackDataInfo and Tasklet.RestoreIP overlap (40..48 and 44..52)")]
    [InlineData(Tasklets, "\"types\":{\"Tasklet\":{\"RestoreIP\":24}}", "Tasklet.RestoreIP and Tasklet.StackData overlap (24..32 and 24..32)")]
    [InlineData(Tasklets, "\"types\":{\"Tasklet\":{\"!\":60}}", "Tasklet has 60 bytes, and Tasklet.PrevInStack ends at 64")]
    [InlineData(Tasklets, "\"types\":{\"Tasklet\":{\"RestoreIP\":[32,\"uint32\"]}}", "Tasklet.RestoreIP is \"uint32\" of 4, and a field of 8 bytes is read there")]
    [InlineData(Tasklets, "\"types\":{\"Tasklet\":{\"RestoreIP\":[32,\"elephant\"]}}", "Tasklet.RestoreIP is \"elephant\", which is not known, and a field of 8 bytes is read there")]
    [InlineData("net10", "\"types\":{\"ContinuationObject\":{\"Next\":4}}", "ContinuationObject.Next lies at 4, in the object's method table pointer (0..8)")]
    [InlineData("net11", "\"globals\":{\"ContinuationDataOffset\":24}", "ContinuationDataOffset is 24, and ContinuationObject.State ends at 32")]
    [InlineData("net11", "\"globals\":{\"ContinuationDataOffset\":100000}", "ContinuationDataOffset is 100000; it is a number up to 1,024")]
    [InlineData("net11", "\"globals\":{\"ContinuationResultIndexNumBits\":22}", "ContinuationResultIndexFirstBit 11 and ContinuationResultIndexNumBits 22 are not bits of an int")]
    [InlineData("net11", "\"globals\":{\"ContinuationResultIndexNumBits\":null}", "ContinuationResultIndexFirstBit is described, and ContinuationResultIndexNumBits is not")]
    [InlineData(Tasklets, "\"globals\":{\"TaskletSentinel\":7}", "TaskletSentinel is a number, and has to be a variable of the target")]
    [InlineData(Tasklets, "\"globals\":{\"TaskletOwnerTypes\":7}", "TaskletOwnerTypes is a number, and has to be a string")]
    [InlineData(Tasklets, "\"globals\":{\"TaskletRegisterEndFirst\":\"x\"}", "TaskletRegisterEndFirst is a string, and has to be a number")]
    [InlineData(Tasklets, "\"globals\":{\"TaskletRegisterNames\":\"rbx,rbp,rbx\"}", "TaskletRegisterNames has rbx twice")]
    [InlineData(Tasklets, "\"globals\":{\"TaskletRegisterNames\":\"rbx,,rbp\"}", "TaskletRegisterNames has a register without a name")]
    [InlineData(Tasklets, "\"globals\":{\"TaskletRegisterEndFirst\":17}", "TaskletRegisterEndFirst is 17, and TaskletRegisterNames has xmm15 there")]
    [InlineData(Tasklets, "\"globals\":{\"TaskletRegisterEndFirst\":-1}", "TaskletRegisterEndFirst is -1, which is not a number of a register")]
    [InlineData(Tasklets, "\"globals\":{\"TaskletRegisterEndFirst\":20}", "TaskletRegisterEndFirst is 20 and TaskletRegisterEndLast is 19: the last end comes before the first")]
    public void A_fault_is_named(string baseline, string changes, string fault) => Assert.Equal([fault], Faults(baseline, changes));

    [Theory]
    [InlineData(Tasklets, "\"types\":{\"Tasklet\":{\"PrevInStack\":null,\"MinGeneration\":null,\"ReturnType\":null,\"PrevInLiveList\":null}}")]
    [InlineData(Tasklets, "\"types\":{\"TaskletStackDataInfo\":{\"ArgumentBytes\":null}}")]
    [InlineData(Tasklets, "\"types\":{\"Tasklet\":{\"!\":80,\"PrevInStack\":0,\"NextInStack\":72,\"RestoreIP\":64,\"StackData\":32,\"ReturnType\":24,\"MinGeneration\":28,\"PrevInLiveList\":48,\"StackDataInfo\":56}}")]
    [InlineData(Tasklets, "\"globals\":{\"TaskletSentinel\":null}")]
    [InlineData(Tasklets, "\"globals\":{\"TaskletOwnerTypes\":null}")]
    [InlineData("net10", "\"types\":{\"ContinuationObject\":{\"Flags\":null}}")]
    public void A_different_valid_description_is_accepted(string baseline, string changes) => Assert.Empty(Faults(baseline, changes));

    [Fact]
    public void Everything_that_a_contract_lacks_is_named()
    {
        IReadOnlyList<string> faults = LayoutCheck.FaultsOf(new LayoutFacts([Parse("{\"contracts\":{\"Async2Tasklets\":1}}")]));
        Assert.Equal(5 + 9 + 2 + 1 + 3 + 1, faults.Count);
        Assert.Contains("the size of TaskletRegRestore, \"!\", is not described, and contract Async2Tasklets 1 needs it", faults);
    }

    [Fact]
    public void The_first_source_is_used_and_metadata_before_built_in_layouts()
    {
        LayoutFacts facts = Facts("net10", "\"types\":{\"ContinuationObject\":{\"State\":48,\"Flags\":null}}");
        Assert.Equal((48, LayoutSourceKind.File), Use(facts.Field("ContinuationObject", "State", fromMetadata: 40)));
        Assert.Equal((40, LayoutSourceKind.Metadata), Use(facts.Field("ContinuationObject", "Resume", fromMetadata: 40)));
        Assert.Equal((32, LayoutSourceKind.BuiltIn), Use(facts.Field("ContinuationObject", "Resume")));
        Assert.Null(facts.Field("ContinuationObject", "Flags", fromMetadata: 44));
    }

    [Fact]
    public void A_difference_to_metadata_is_reported()
    {
        LayoutFacts facts = Facts("net10", "\"types\":{\"ContinuationObject\":{\"State\":48}}");
        Assert.Equal(
            ["ContinuationObject.State is at 48 by layout file mine, which is used, and at 40 by the target's metadata"],
            LayoutDifferences.Of(facts, "ContinuationObject", new Dictionary<string, int> { ["State"] = 40, ["Resume"] = 99 }).Select(problem => problem.Text));
    }

    private static (int, LayoutSourceKind) Use(FieldFact? fact) => (fact!.Offset, fact.Source.Kind);

    private static IReadOnlyList<string> Faults(string baseline, string changes) => LayoutCheck.FaultsOf(Facts(baseline, changes));

    private static LayoutFacts Facts(string baseline, string changes) => new([Parse($"{{{changes}}}"), Baselines.Find(baseline)!]);

    private static LayoutDescription Parse(string json) => DescriptionParser.Parse(Encoding.UTF8.GetBytes(json), new(LayoutSourceKind.File, "file mine"));
}
