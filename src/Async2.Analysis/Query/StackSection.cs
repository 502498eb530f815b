using System.Collections.Immutable;
using System.Globalization;
using Async2.Analysis.Formatting;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Labels;

namespace Async2.Analysis.Query;

/// <summary>Stacks with something in common, when an answer is grouped.</summary>
/// <param name="Key">What they have in common; text from the target, not yet escaped.</param>
/// <param name="Count">Number of stacks of the target in it.</param>
/// <param name="Stacks">The stacks, in the order of the answer.</param>
public sealed record StackSection(string Key, long Count, ImmutableArray<LogicalStack> Stacks)
{
    private const string Unknown = "(unknown)";

    /// <summary>Splits stacks into sections; biggest first, then by key, ordinal.</summary>
    public static ImmutableArray<StackSection> Of(IEnumerable<LogicalStack> stacks, GroupKey grouping) =>
    [
        .. stacks.GroupBy(stack => KeyOf(stack, grouping), StringComparer.Ordinal)
            .Select(section => new StackSection(section.Key, section.Sum(stack => stack.Count), [.. section]))
            .OrderByDescending(section => section.Count)
            .ThenBy(section => section.Key, StringComparer.Ordinal),
    ];

    private static string KeyOf(LogicalStack stack, GroupKey grouping) => grouping.Kind switch
    {
        StackGrouping.WaitingOn => stack.WaitingOn is { Text.Length: > 0 } wait ? WaitFormatter.SectionOf(wait) : "(nothing known)",
        StackGrouping.State => stack.State.ToString().ToLowerInvariant(),
        StackGrouping.Module => InnermostOfUser(stack)?.Module ?? Unknown,
        StackGrouping.Leaf => stack.Frames.Count == 0 ? Unknown : WithLine(stack.Frames.WithoutAddress(0)),
        StackGrouping.Method => InnermostOfUser(stack)?.Method ?? Unknown,
        // Equal stacks were parted by it.
        _ => grouping.Of(name => stack.Labels.FirstOrDefault(label => LabelNames.IsNamed(label.Name, name))) ?? "(none)",
    };

    private static LogicalFrame? InnermostOfUser(LogicalStack stack)
    {
        for (int i = 0; i < stack.Frames.Count; i++)
        {
            LogicalFrame frame = stack.Frames.WithoutAddress(i);
            if (!frame.IsFramework)
                return frame;
        }
        return stack.Frames.Count == 0 ? null : stack.Frames.WithoutAddress(0);
    }

    private static string WithLine(LogicalFrame frame) => frame is { File: { } file, Line: { } line }
        ? string.Create(CultureInfo.InvariantCulture, $"{frame.Method} {file[(file.LastIndexOfAny(['/', '\\']) + 1)..]}:{line}")
        : frame.Method;
}
