using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Rendering.Text;
using Async2.Dump.Dap.Protocol;

namespace Async2.Dump.Dap.Session;

/// <summary>What can be expanded below a frame: its variables, and facts about its stack.</summary>
internal sealed class FrameVariables(IReadTarget target)
{
    private readonly Dictionary<(int Thread, int Frame), VariableNode> _locals = [];
    private readonly Dictionary<(int Thread, int Frame), VariableNode> _waits = [];

    /// <summary>Arguments and locals. They are read here, because their exact number is needed.</summary>
    public VariableNode LocalsOf(int thread, LogicalStack stack, int frame)
    {
        if (!_locals.TryGetValue((thread, frame), out VariableNode? node))
        {
            _locals[(thread, frame)] = node = VariableNode.Of([.. target.LocalsOf(stack, frame).Select(LineOf)]);
            node.SetPath("");
        }
        return node;
    }

    /// <summary>State, what is waited for, task.</summary>
    public VariableNode WaitOf(int thread, LogicalStack stack, int frame)
    {
        if (!_waits.TryGetValue((thread, frame), out VariableNode? node))
            _waits[(thread, frame)] = node = VariableNode.Of([.. FactsOf(stack, frame)]);
        return node;
    }

    private IEnumerable<VariableLine> FactsOf(LogicalStack stack, int frame)
    {
        yield return new("state", DisplayText.Of(stack.State));
        if (stack.WaitingOn is { } wait)
            yield return new("waiting for", DapText.Long(wait.FullText), wait.Type is { } type ? DapText.Name(type) : null, PartsAt(wait.Address));
        if (stack.WaitingOn is { Stack: { } other })
            yield return new("waits for stack", other);
        if (stack.WaitingOn is { Pending: { IsDefaultOrEmpty: false } pending })
            yield return new("pending", string.Join(", ", pending));
        if (!stack.AwaitedBy.IsDefaultOrEmpty)
            yield return new("awaited by", string.Join(", ", stack.AwaitedBy));
        if (stack.Thread is { } thread)
            yield return new("thread", DisplayText.Threads(thread, stack.Count));
        if (stack.Task is { } task)
            yield return ObjectLine("task", task);
        if (stack.Count > 1)
            yield return new("stacks like this", $"{DisplayText.Number(stack.Count)}; objects and variables are those of the first");
        if (frame >= stack.Frames.Count)
            yield break;
        LogicalFrame shown = stack.Frames[frame];
        if (LocationText.Of(shown) is { Length: > 0 } place)
            yield return new("place", DapText.Name(place));
        if (shown.Address is { } address)
            yield return ObjectLine("frame object", address);
    }

    private VariableLine ObjectLine(string name, ulong address)
        => target.ObjectAt(name, address) is { } value ? LineOf(value) : new(name, DisplayText.Hex(address));

    private VariableNode? PartsAt(ulong? address) => address is { } known && target.ObjectAt("", known) is { Parts: { } parts } ? NodeOf(parts) : null;

    private VariableLine LineOf(LocalValue value)
    {
        string? type = value.Type is { } known ? DapText.Name(known) : null;
        return new VariableLine(
            DapText.Name(value.Name),
            ValueText(value),
            value.Exactness == Exactness.Exact ? type : $"{type} (determined by order)",
            value.Parts is { } parts ? NodeOf(parts) : null);
    }

    // Of an object that is not text or a number its type says more than its address.
    private static string ValueText(LocalValue value)
        => value is { Type: { } type, Value: ['{', '0', 'x', ..] text } && text.IndexOf('}', StringComparison.Ordinal) == text.Length - 1 ? $"{{{DapText.Name(type)}}}" : DapText.Long(value.Value);

    private VariableNode NodeOf(ValueParts parts)
        => new(parts.Count, (start, count) => target.PartsOf(parts, start, count).Select(LineOf)) { IsIndexed = parts.IsIndexed };
}
