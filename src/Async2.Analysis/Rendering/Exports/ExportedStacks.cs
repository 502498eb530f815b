using Async2.Analysis.Model;
using Async2.Analysis.Query;

namespace Async2.Analysis.Rendering.Exports;

/// <summary>Which stacks of an answer an export has.</summary>
public static class ExportedStacks
{
    /// <summary>Those that match, at most as many as were asked for; with only findings asked for, those that findings name.</summary>
    public static IEnumerable<LogicalStack> Of(StackView view, RenderOptions options)
        => (options.FindingsOnly ? OfFindings(view) : view.Stacks).Take(options.Limit ?? int.MaxValue);

    /// <summary>The stacks that findings name.</summary>
    public static IEnumerable<LogicalStack> OfFindings(StackView view)
    {
        HashSet<string> ids = [.. view.Findings.SelectMany(finding => finding.Stacks.Concat(finding.Evidence.Select(step => step.Stack).OfType<string>()))];
        return view.Stacks.Where(stack => ids.Contains(stack.Id));
    }
}
