using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Layouts.Waits;
using Async2.Analysis.Layouts;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Operations;

/// <summary>WhenAll, WhenAny, WhenEach and their elder brothers of TaskFactory.</summary>
internal sealed class PromiseWaits(WaitReaderContext all) : IWaitFamily
{
    private const int TaskLimit = 1_000_000;
    private const int NamedLimit = 4;

    private readonly LayoutCache<SizedLayout> _lists = all.Layouts(SizedLayout.Of);

    public WaitStepReader? ReaderOf(ClrType type)
    {
        if (PromiseLayout.Of(type, all.PointerSize) is not { } layout)
            return null;
        return layout.Kind != PromiseKind.Any ? address => new(All(all.At(address), layout)) : address => new(Any(all.At(address), layout));
    }

    private static WaitFacts All(HeapObject promise, PromiseLayout layout)
    {
        int? remaining = layout.Remaining is { } field && promise.Int32(field) is >= 0 and var value ? value : null;
        uint? total = layout.Tasks is { } tasks && promise.At(tasks) is { Address: not 0 } array ? array.Length() : null;
        string? state = remaining is not { } left ? null
            : total is { } count && left <= count ? FormattableString.Invariant($"{count - left} of {count} done")
            : FormattableString.Invariant($"{left} pending");
        return new(WaitFamily.Task, layout.Kind == PromiseKind.Each ? "Task.WhenEach" : "Task.WhenAll", state, null, 0);
    }

    private WaitFacts Any(HeapObject promise, PromiseLayout layout)
    {
        ulong[] tasks = layout.Tasks is { } list ? Elements(promise.At(list)) : [.. layout.Singles.Select(promise.Reference)];
        string? state = tasks.Length == 0 ? null : FormattableString.Invariant($"first of {tasks.Length}: {Names(tasks)}");
        return new(WaitFamily.Task, "Task.WhenAny", state, null, 0);
    }

    // An array of tasks, or a list that the caller gave.
    private ulong[] Elements(HeapObject tasks)
    {
        if (tasks.Address == 0)
            return [];
        if (_lists.Of(tasks) is not { } list)
            return ArrayLayout.ReadReferences(all.Target.Memory, tasks.Address, TaskLimit);
        int size = Math.Max(0, tasks.Int32(list.Size) ?? 0);
        return [.. ArrayLayout.ReadReferences(all.Target.Memory, tasks.Reference(list.Items), TaskLimit).Take(size)];
    }

    // Equal names once, in order: "3 x Task.Delay".
    private string Names(ulong[] tasks)
    {
        var names = new List<(string Name, int Count)>();
        foreach (ulong task in tasks.Take(NamedLimit * NamedLimit))
        {
            string name = all.Names.Of(task);
            int known = names.FindIndex(n => n.Name == name);
            if (known >= 0)
                names[known] = (name, names[known].Count + 1);
            else
                names.Add((name, 1));
        }
        string text = string.Join(", ", names.Take(NamedLimit).Select(n => n.Count == 1 ? n.Name : FormattableString.Invariant($"{n.Count} x {n.Name}")));
        return names.Count > NamedLimit || tasks.Length > NamedLimit * NamedLimit ? text + ", ..." : text;
    }
}
