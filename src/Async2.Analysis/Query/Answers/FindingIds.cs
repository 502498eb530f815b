using System.Collections.Immutable;
using Async2.Analysis.Analyses;
using Async2.Analysis.Model;

namespace Async2.Analysis.Query.Answers;

/// <summary>The findings of a model, with the ids by which an answer shows their stacks. They are the same whatever is asked for: only ids of stacks that are not shown are missing.</summary>
internal static class FindingIds
{
    public static ImmutableArray<Finding> Of(AsyncModel model, StackGrouper groups)
        => [.. AnalysisList.In(model).Select(finding => finding with
        {
            // The numbers of stacks are the model's; equal stacks have one id.
            Stacks = [.. finding.Members.Select(member => IdOf(member, model, groups)).OfType<string>().Distinct()],
            Evidence = [.. finding.Evidence.Select(step => step with { Stack = IdOf(step.Member, model, groups) })],
        })];

    private static string? IdOf(int stack, AsyncModel model, StackGrouper groups)
        => stack >= 0 && groups.GroupOf(model.Stacks.NodeOf(stack, 0)) is { Number: > 0 } group ? group.Id : null;
}
