using System.Collections.Immutable;
using Async2.Analysis.Analyses;
using Async2.Analysis.Analyses.Ages;
using Async2.Analysis.Formatting;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Labels;

namespace Async2.Analysis.Query;

/// <summary>
/// The tests that a query can apply to stacks of a model, by their numbers: rows of <see cref="QueryOptionTable"/> consist of these.
/// Frames are tested once for each place, text once for each distinct text. Folded framework frames are searched
/// like visible ones; those of the runtime are not.
/// </summary>
/// <param name="model">The model.</param>
/// <param name="includeFramework">Frames of the runtime are shown, and so searched, too.</param>
internal sealed class StackTests(AsyncModel model, bool includeFramework)
{
    /// <summary>Some frame passes a test.</summary>
    public Predicate<int> WithFrame(Predicate<LogicalFrame> test)
    {
        var match = new ShapeMatch(model, includeFramework, test);
        return stack => match.IsIn(model.Stacks.Rows[stack].Shape);
    }

    /// <summary>Its state is one of these.</summary>
    public Predicate<int> InState(ImmutableArray<StackState> states) => stack => states.Contains(model.Stacks.Rows[stack].State);

    /// <summary>It proves a finding with this id or rule, or is a step of its evidence.</summary>
    public Predicate<int> OfFinding(string name)
    {
        var stacks = new HashSet<int>();
        foreach (Finding finding in AnalysisList.In(model).Where(finding => finding.Id == name || finding.Rule == name))
        {
            stacks.UnionWith(finding.Members);
            stacks.UnionWith(finding.Evidence.Select(step => step.Member));
        }
        return stacks.Contains;
    }

    /// <summary>It works for a request with such a path or route.</summary>
    public Predicate<int> OfRequest(string pattern)
    {
        var wanted = new LabelPattern(pattern);
        return OfLabels(wanted.IsRequestOf);
    }

    /// <summary>It belongs to a trace whose id begins so.</summary>
    public Predicate<int> OfTrace(string id) => OfLabels(labels => labels.Any(label => label.Name == LabelNames.Trace && label.Value.StartsWith(id, StringComparison.OrdinalIgnoreCase)));

    /// <summary>It has a label of this name; with a value if one is given behind an equals sign.</summary>
    public Predicate<int> WithLabel(string wanted)
    {
        int equals = wanted.IndexOf('=', StringComparison.Ordinal);
        var name = new LabelPattern(equals < 0 ? wanted : wanted[..equals]);
        LabelPattern? value = equals < 0 ? null : new(wanted[(equals + 1)..]);
        return OfLabels(labels => labels.Any(label => (name.Matches(label.Name) || name.Matches(label.Name[(label.Name.LastIndexOf('.') + 1)..])) && value?.Matches(label.Value) != false));
    }

    // Stacks with the same labels are tested once.
    private Predicate<int> OfLabels(Predicate<IEnumerable<StackLabel>> test)
    {
        LabelFacts labels = model.Facts.Labels;
        bool?[] known = new bool?[labels.Sets.Count];
        return stack => labels.SetOf.TryGetValue(stack, out int set) && (known[set] ??= test(labels.Of(stack)));
    }

    /// <summary>It has waited for at least a time, by a clock of its own or by looks.</summary>
    public Predicate<int> OlderThan(TimeSpan time)
    {
        WaitAges? ages = WaitAges.Of(model);
        Movement? movement = Movement.Of(model);
        bool mayStand = model.Target.ApartMs >= time.TotalMilliseconds;
        return stack => ages?.OfStack(stack)?.AtLeastMs >= time.TotalMilliseconds || (mayStand && movement?.OfStack(stack).Ms >= time.TotalMilliseconds);
    }

    /// <summary>It runs or blocks on this thread.</summary>
    public Predicate<int> OnThread(int thread) => stack => model.ThreadOf(stack) == thread;

    /// <summary>A task of the stack has this address.</summary>
    public Predicate<int> WithTask(ulong address) => stack => HasTask(stack, address);

    /// <summary>A frame's object, a task, or what it waits for, or the semaphore or lock behind that, has this address.</summary>
    public Predicate<int> WithObject(ulong address)
        => stack => model.Stacks.Rows[stack].WaitAddress == address || model.ResourceOf(stack)?.Address == address || HasTask(stack, address) || HasObject(stack, address);

    /// <summary>A frame's object, a task, or what it waits for is of a type that is asked for.</summary>
    public Predicate<int> WithType(StackQuery asked)
    {
        bool[] types = [.. model.Types.Types.Select(type => type.MethodTable != 0 && asked.IsOfType(type.MethodTable, type.Name))];
        return stack => HasType(stack, types);
    }

    /// <summary>What it waits for, its details or its type match.</summary>
    public Predicate<int> WaitingFor(TextPattern pattern)
    {
        var texts = new Dictionary<string, bool>();
        var waits = new Dictionary<(int Wait, ulong Address), bool>();
        return stack =>
        {
            StackRow row = model.Stacks.Rows[stack];
            // A stack that waits for another one is shown as waiting for its task.
            if (row.Wait < 0)
                return model.WaitsForNode(stack) >= 0 && IsText("Task");
            if (!waits.TryGetValue((row.Wait, row.WaitAddress), out bool matches))
                waits[(row.Wait, row.WaitAddress)] = matches = WaitMatches(stack, row, pattern, IsText);
            return matches;
        };

        bool IsText(string text)
        {
            if (!texts.TryGetValue(text, out bool matches))
                texts[text] = matches = pattern.Matches(text);
            return matches;
        }
    }

    private bool HasTask(int stack, ulong task)
    {
        if (model.TaskOf(stack) == task)
            return true;
        for (int i = 0; i < model.Stacks.NodeCount(stack); i++)
        {
            if (model.Nodes.Addresses[model.Stacks.NodeOf(stack, i)] == task)
                return true;
        }
        return false;
    }

    private bool HasObject(int stack, ulong address)
    {
        var objects = new StackObjects(model, stack);
        while (objects.MoveNext())
        {
            if (objects.Address == address)
                return true;
        }
        return false;
    }

    private bool HasType(int stack, bool[] types)
    {
        StackRow row = model.Stacks.Rows[stack];
        if (row.WaitAddress != 0 && types[model.Types.OfWaits.GetValueOrDefault(row.WaitAddress)])
            return true;
        for (int i = 0; i < model.Stacks.NodeCount(stack); i++)
        {
            if (types[model.Types.OfNode(model.Stacks.NodeOf(stack, i))])
                return true;
        }
        var objects = new StackObjects(model, stack);
        while (objects.MoveNext())
        {
            if (objects.Position >= 0 && types[model.Types.OfSite(model.Links.SiteOf(objects.Position))])
                return true;
        }
        return false;
    }

    private bool WaitMatches(int stack, in StackRow row, TextPattern pattern, Predicate<string> isText)
    {
        WaitingOn wait = model.Stacks.Waits[row.Wait];
        return isText(wait.Text) || (wait.Type is { } type && isText(type))
            || (wait.Detail is not null && pattern.Matches(wait.FullText))
            || (model.ResourceOf(stack)?.Name is { } name && isText(name))
            || (row.WaitAddress != 0 && model.Reasons.TryGetValue(row.WaitAddress, out WaitReason? reason) && pattern.Matches(WaitFormatter.Full(reason)));
    }
}
