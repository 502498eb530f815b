using System.Globalization;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Query;
using Async2.Analysis.Targets;
using Async2.Tests.Support;

namespace Async2.Tests.Shapes;

/// <summary>The lines of a snapshot checked against those that the program noted.</summary>
internal sealed class ShapeResult
{
    private readonly SortedDictionary<string, int> _counts = new(StringComparer.Ordinal);

    /// <summary>Exactness, shape and what is wrong.</summary>
    public List<string> Mistakes { get; } = [];

    /// <summary>How many lines of threads or stacks were counted: <c>thread Exact right</c>.</summary>
    public int this[string name] => _counts.GetValueOrDefault(name);

    public override string ToString() => string.Join(", ", _counts.Select(c => string.Create(CultureInfo.InvariantCulture, $"{c.Key} {c.Value}"))) + "\n    " + string.Join("\n    ", Mistakes);

    /// <param name="snapshot">The answer.</param>
    /// <param name="truth">What the program noted.</param>
    /// <param name="bodies">The method in which each stopped, as compiled without inlining. Where it is another one, the optimiser has put the lambda into who called it, and no frame of it is left.</param>
    /// <param name="ask">The stack of a thread that is shown only when it is asked for: it is in a call of its own into the system.</param>
    public void CompareThreads(StackView snapshot, Truth truth, IReadOnlyDictionary<string, string> bodies, Func<int, LogicalStack?> ask)
    {
        Dictionary<int, LogicalStack> stacks = snapshot.Stacks.Where(s => s.Thread is not null).ToDictionary(s => s.Thread!.Value);
        foreach (TruthThread thread in truth.Threads!)
        {
            bool isLeft = bodies[thread.Name] == thread.Method;
            Compare("thread", thread.Name, thread.Line, !isLeft ? null : stacks.GetValueOrDefault(thread.Thread) ?? (thread.Name.StartsWith("Native", StringComparison.Ordinal) ? ask(thread.Thread) : null));
        }
    }

    public void CompareStacks(StackView snapshot, Truth truth, Target target)
    {
        var stacks = new Dictionary<string, LogicalStack>();
        foreach (LogicalStack stack in snapshot.Stacks)
        {
            if (NameOf(stack, target) is { } name)
                stacks[name] = stack;
        }
        foreach (TruthStack stack in truth.Stacks)
            Compare("await", stack.Stack, stack.Frames[0].Line, stacks.GetValueOrDefault(stack.Stack));
    }

    // The task that a stack waits for carries its name.
    private static string? NameOf(LogicalStack stack, Target target)
        => stack.WaitingOn?.Address is { } address && target.Runtime.Heap.GetObject(address) is { IsValid: true } task
            && task.Type?.GetFieldByName("m_stateObject") is not null
            && task.ReadObjectField("m_stateObject") is { IsNull: false, Type.IsString: true } state ? state.AsString() : null;

    private void Compare(string kind, string name, int line, LogicalStack? stack)
    {
        LogicalFrame? frame = stack?.Frames.FirstOrDefault(f => f.Type is { } type && !type.EndsWith("Stop", StringComparison.Ordinal) && f.File?.EndsWith("Shapes.cs", StringComparison.Ordinal) == true);
        string verdict = frame is null ? "lost" : frame.Line == line ? "right" : "wrong";
        string count = $"{kind} {frame?.Exactness} {verdict}";
        _counts[count] = _counts.GetValueOrDefault(count) + 1;
        if (verdict != "right")
            Mistakes.Add(frame is null ? $"lost {kind} {name}" : $"{frame.Exactness} {kind} {name}: line {line}, shown {frame.Line} {frame.Name}");
    }
}
