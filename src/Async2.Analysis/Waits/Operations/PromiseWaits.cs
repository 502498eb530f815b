using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Layouts.Waits;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Operations;

/// <summary>WhenAll, WhenAny, WhenEach and their elder brothers of TaskFactory.</summary>
internal sealed class PromiseWaits(WaitReaderContext all) : IWaitFamily
{
    private const int TaskLimit = 1_000_000;
    private const int NamedLimit = 16;

    private readonly LayoutCache<SizedLayout> _lists = all.Layouts(SizedLayout.Of);
    private readonly WaitFactList _facts = new();

    public WaitStepReader? ReaderOf(ClrType type)
    {
        if (PromiseLayout.Of(type, all.PointerSize) is not { } layout)
            return null;
        return layout.Kind != PromiseKind.Any ? address => new(All(all.At(address), layout)) : address => new(Any(all.At(address), layout));
    }

    private static WaitReason All(HeapObject promise, PromiseLayout layout)
    {
        int? remaining = layout.Remaining is { } field && promise.Int32(field) is >= 0 and var value ? value : null;
        uint? total = layout.Tasks is { } tasks && promise.At(tasks) is { Address: not 0 } array ? array.Length() : null;
        return new(WaitKind.Task, layout.Kind == PromiseKind.Each ? "Task.WhenEach" : "Task.WhenAll")
        {
            Shared = remaining is not { } left ? []
                : total is { } count && left <= count ? [new(WaitFactKey.Done, count - left) { Of = count }]
                : [new(WaitFactKey.Pending, left)],
        };
    }

    private WaitReason Any(HeapObject promise, PromiseLayout layout)
    {
        ulong[] tasks = layout.Tasks is { } list ? Elements(promise.At(list)) : [.. layout.Singles.Select(promise.Reference)];
        if (tasks.Length > 0)
            AddNames(tasks);
        return new(WaitKind.Task, "Task.WhenAny") { Shared = _facts.Take() };
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

    // Equal names once, in order.
    private void AddNames(ulong[] tasks)
    {
        var names = new List<(string? Name, int Count)>();
        foreach (ulong task in tasks.Take(NamedLimit))
        {
            string? name = all.Names.Of(task);
            int known = names.FindIndex(n => n.Name == name);
            if (known >= 0)
                names[known] = (name, names[known].Count + 1);
            else
                names.Add((name, 1));
        }
        _facts.Add(WaitFactKey.FirstOf, tasks.Length);
        foreach ((string? name, int count) in names)
            _facts.Add(WaitFactKey.Among, count, name);
        if (tasks.Length > NamedLimit)
            _facts.Add(WaitFactKey.More);
    }
}
