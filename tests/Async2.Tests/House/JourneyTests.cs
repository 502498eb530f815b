using System.Text.RegularExpressions;
using Async2.Tests.Support;

namespace Async2.Tests.House;

/// <summary>
/// How many files one has to know to follow something through the library, as docs/architecture.md counts it. What only declares a row is
/// in the file of the code that fills it, so each file here does something. The lists are made by hand; that they are ways is checked.
/// </summary>
public sealed partial class JourneyTests
{
    /// <summary>From a continuation to its printed line: to the rows, for its place, to the model, to the answer, to the line.</summary>
    private static readonly string[] PrintedLine =
    [
        "HeapWalk", "SegmentWalk", "HeapTypeReader", "AsyncTypes", "ContinuationLayout", "AsyncObjectReader", "FrameColumns", "HeapIndex",
        "ResumeSites", "SuspensionPoints", "NativeBodies", "LoadedModules", "X64SuspensionDecoder", "NativeDebugInfo", "AwaitAssignment", "AwaitSites", "ModuleSymbols",
        "MethodLines",
        "ModelBuilder", "ChainReader", "FrameTable", "FrameReader", "MethodNamer", "StackBuilder", "FrameExpander", "StackTableBuilder", "StackTable", "AsyncModel",
        "StackAnswer", "StackGrouper", "StackAssembler",
        "TextRenderer", "FrameLines", "MethodText", "LocationText",
    ];

    /// <summary>A kind of wait: its family's file (here that of semaphores), the list, and what reads, keeps and says it.</summary>
    private static readonly string[] WaitReason =
    [
        "SemaphoreWaits", "WaitFamilies", "WaitStep", "WaitFactList", "WaitReasonReader", "ReasonColumn", "WaitReason", "WaitFact", "WaitFormatter", "FactFormatter", "GroupWaitFormatter", "StackAssembler",
    ];

    private static readonly string[] Filter = ["StackQuery", "QueryOptionTable"];

    private static readonly string[] Analysis = ["AsyncModel", "ModelGraph"];

    private static readonly Dictionary<string, (string Path, string Text)> Files = Repository.CSharpFiles("src/Async2.Analysis")
        .GroupBy(path => Path.GetFileNameWithoutExtension(path)).ToDictionary(same => same.Key, same => (same.First(), File.ReadAllText(same.First())));

    [Theory]
    [InlineData("from a continuation to its printed line", 35)]
    [InlineData("a wait reason", 12)]
    [InlineData("a new filter option, everywhere", 2)]
    [InlineData("a new analysis on the graph", 3)]
    public void A_journey_is_short_and_the_page_says_how_long(string journey, int most)
    {
        (string[] files, int own) = journey switch
        {
            "from a continuation to its printed line" => (PrintedLine, 0),
            "a wait reason" => (WaitReason, 0),
            "a new filter option, everywhere" => (Filter, 0),
            _ => (Analysis, 1), // and the analysis itself
        };
        Assert.Equal(files.Distinct(), files);
        Assert.True(files.Length + own <= most, $"{files.Length + own} files");
        Rule.Holds(Broken(files, Files));
        string row = File.ReadLines(Repository.PathOf("docs", "architecture.md")).Single(line => line.StartsWith($"| {journey} |", StringComparison.Ordinal));
        Assert.Equal($"{files.Length + own}", row.Split('|')[3].Trim());
    }

    [Fact]
    public void A_list_that_is_no_way_is_found()
    {
        var files = new Dictionary<string, (string, string)>
        {
            ["A"] = ("", "class A { }"), ["B"] = ("", "class B { A a; }"), ["C"] = ("", "class C { }"),
        };
        Assert.Empty(Broken(["A", "B"], files));
        Assert.Equal(["C has to do with no other", "D is not there"], Broken(["A", "B", "C", "D"], files).Order());
    }

    // Each is used by another one of the list, or uses one.
    private static IEnumerable<string> Broken(string[] files, Dictionary<string, (string Path, string Text)> all)
        => files.Where(file => !all.ContainsKey(file)).Select(file => $"{file} is not there")
            .Concat(files.Where(file => all.ContainsKey(file) && !files.Any(other => other != file && all.ContainsKey(other) && (Uses(all[other].Text, all[file].Text) || Uses(all[file].Text, all[other].Text))))
                .Select(file => $"{file} has to do with no other"));

    private static bool Uses(string from, string to)
        => Types().Matches(to).Any(type => Regex.IsMatch(from, $@"\b{type.Groups[1].Value}\b"));

    [GeneratedRegex(@"\b(?:class|record struct|record|struct|enum|interface)\s+(\w+)")]
    private static partial Regex Types();
}
