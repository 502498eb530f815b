using Async2.Analysis.Model;
using Async2.Analysis.Rendering.Text;
using Async2.Dump.Dap.Protocol;

namespace Async2.Dump.Dap.Session;

/// <summary>Facts of a stack, under names that no variable of C# has: <c>$count</c>.</summary>
internal static class StackFacts
{
    private static readonly (string Name, Func<LogicalStack, string?> Text)[] Facts =
    [
        ("$count", stack => DisplayText.Number(stack.Count)),
        ("$state", stack => DisplayText.Of(stack.State)),
        ("$wait", stack => stack.WaitingOn is { } wait ? DapText.Long(wait.FullText) : null),
        ("$age", stack => AgeText.Of(stack, all: true, clocks: true)),
        ("$task", stack => stack.Task is { } task ? DisplayText.Hex(task) : null),
        ("$thread", stack => stack.Thread is { } thread ? DisplayText.Number(thread) : null),
        ("$id", stack => stack.Id),
        ("$labels", stack => DapText.Long(LabelLine.Of(stack) ?? "") is { Length: > 0 } labels ? labels : null),
    ];

    /// <summary>Their names.</summary>
    public static IEnumerable<string> Names => Facts.Select(fact => fact.Name);

    /// <summary>A fact; null if there is none of this name.</summary>
    public static VariableLine? Of(LogicalStack stack, string name)
    {
        foreach ((string known, Func<LogicalStack, string?> text) in Facts)
        {
            if (known == name)
                return new VariableLine(name, text(stack) ?? "not known");
        }
        return null;
    }
}
