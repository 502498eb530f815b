using System.Text.Json;
using System.Text.Json.Serialization;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Rendering.Changes;
using Async2.Analysis.Rendering.Json;
using Async2.Analysis.Rendering.Tree;
using Async2.Tests.Support;

namespace Async2.Tests.Rendering;

/// <summary>What the viewer reads is what the library writes: its types are made from the records of the tree.</summary>
public sealed class TreeTypesTests
{
    private const string Header = """
        // The tree of all stacks as it comes from `dotnet-async2` (schema async2.tree/1, docs/dap.md). Absent means unknown.
        // Made from the records in src/Async2.Analysis/Rendering/Tree by the tests: "npm run accept" writes it again.

        import type { AgeRecord } from './ageRecords';
        import type { FindingRecord, LabelShareRecord } from './findings';
        import type { SinceRecord } from './since';
        import type { TargetRecord } from './target';


        """;

    private const string FindingsHeader = """
        // What the tree says is wrong (schema async2.tree/1, docs/dap.md). Absent means unknown.
        // Made from the records in src/Async2.Analysis/Rendering by the tests: "npm run accept" writes it again.

        import type { AgeRecord } from './ageRecords';
        import type { EdgeKind } from './tree';


        """;

    private const string AgeHeader = """
        // What the tree says of ages (schema async2.tree/1, docs/dap.md). Absent means unknown.
        // Made from the records in src/Async2.Analysis/Rendering by the tests: "npm run accept" writes it again.


        """;

    private const string SinceHeader = """
        // What the tree says of an earlier look (schema async2.tree/1, docs/dap.md). Absent means unknown.
        // Made from the records in src/Async2.Analysis/Rendering/Tree by the tests: "npm run accept" writes it again.

        import type { ChangesRecord, GroupRow } from './diff';


        """;

    private const string TargetHeader = """
        // What the tree says of the target and its thread pool (schema async2.tree/1, docs/dap.md). Absent means unknown.
        // Made from the records in src/Async2.Analysis/Rendering by the tests: "npm run accept" writes it again.


        """;

    private const string DiffHeader = """
        // What the page of `dotnet-async2 diff --format html` draws. Absent means unknown.
        // Made from the records in src/Async2.Analysis/Rendering/Changes by the tests: "npm run accept" writes it again.

        import type { TargetRecord } from './target';


        """;

    private const string GrowthHeader = """
        // What the page of `dotnet-async2 diff --format html` draws of three and more targets. Absent means unknown.
        // Made from the records in src/Async2.Analysis/Rendering/Changes by the tests: "npm run accept" writes it again.

        import type { GroupRow, ProblemRecord } from './diff';
        import type { TargetRecord } from './target';


        """;

    [Fact]
    public void The_types_of_what_only_grows_are_fresh() => Approved.CheckGenerated(
        PathOf("growth.ts"), GrowthHeader + TypeScriptTypes.Of(typeof(GrowthPage), GrowthPageJson.Default.Options, typeof(TargetRecord), typeof(ProblemRecord), typeof(GroupRow)));

    [Fact]
    public void The_types_of_the_viewer_are_fresh() => Approved.CheckGenerated(
        PathOf("tree.ts"), Header + TypeScriptTypes.Of(typeof(TreePage), TreeJson.Default.Options, typeof(TargetRecord), typeof(AgeRecord), typeof(FindingRecord), typeof(LabelShareRecord), typeof(SinceRecord)));

    [Fact]
    public void What_the_viewer_knows_of_findings_is_fresh() => Approved.CheckGenerated(
        PathOf("findings.ts"), FindingsHeader + TypeScriptTypes.Of(typeof(FindingRecord), TreeJson.Default.Options, typeof(AgeRecord), typeof(EdgeKind)));

    [Fact]
    public void What_the_viewer_knows_of_ages_is_fresh() => Approved.CheckGenerated(PathOf("ageRecords.ts"), AgeHeader + TypeScriptTypes.Of(typeof(AgeRecord), TreeJson.Default.Options));

    [Fact]
    public void What_the_viewer_knows_of_an_earlier_look_is_fresh() => Approved.CheckGenerated(
        PathOf("since.ts"), SinceHeader + TypeScriptTypes.Of(typeof(SinceRecord), TreeJson.Default.Options, typeof(ChangesRecord), typeof(GroupRow)));

    [Fact]
    public void What_the_viewer_knows_of_the_target_is_fresh() => Approved.CheckGenerated(PathOf("target.ts"), TargetHeader + TypeScriptTypes.Of(typeof(TargetRecord), TreeJson.Default.Options));

    [Fact]
    public void The_types_of_the_comparison_are_fresh() => Approved.CheckGenerated(
        PathOf("diff.ts"), DiffHeader + TypeScriptTypes.Of(typeof(DiffPage), DiffPageJson.Default.Options, typeof(TargetRecord)));

    [Fact]
    public void Each_kind_of_member_is_listed_in_its_form()
    {
        const string expected = """
            export interface Whole {
              readonly text: string;
              readonly size?: number;
              readonly isThere: boolean;
              readonly way: Way;
              readonly parts: readonly Part[];
              readonly pairs: readonly (readonly [from: number, to: number])[];
              readonly byName?: Readonly<Record<string, readonly string[]>>;
            }

            export type Way = 'one-way' | 'both';

            export interface Part {
              readonly size: number;
            }

            """;
        Assert.Equal(expected, TypeScriptTypes.Of(typeof(Whole), new JsonSerializerOptions { PropertyNamingPolicy = JsonNamingPolicy.CamelCase }));
    }

    private static string PathOf(string file) => Repository.PathOf("src", "vscode-ext", "viewer", "model", file);

    internal enum Way
    {
        OneWay,
        Both,
    }

    internal sealed record Whole(
        string Text, int? Size, bool IsThere, Way Way, IEnumerable<Part> Parts, IEnumerable<Pair> Pairs, IReadOnlyDictionary<string, IEnumerable<string>>? ByName);

    internal sealed record Part(double Size);

    [JsonConverter(typeof(JsonConverter<Pair>))]
    internal readonly record struct Pair(int From, int To);
}
