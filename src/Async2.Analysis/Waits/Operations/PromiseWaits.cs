using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Operations;

/// <summary>WhenAll, WhenAny, WhenEach and their elder brothers of TaskFactory.</summary>
internal sealed class PromiseWaits(WaitReaderContext all) : IWaitFamily<PromiseWaits>
{
    public static IReadOnlyList<KnownWait> Names { get; } =
    [
        new("System.Threading.Tasks.Task+WhenAllPromise", WaitKind.Task, "Task.WhenAll"),
        new(CountdownTaskLayout.TypeName, WaitKind.Task, "Task.WaitAll"),
        new("System.Threading.Tasks.Task+TwoTaskWhenAnyPromise", WaitKind.Task, "Task.WhenAny"),
        new("System.Threading.Tasks.TaskFactory+CompleteOnInvokePromise", WaitKind.Task, "Task.WhenAny"),
        new(AsyncTypes.WhenEach, WaitKind.Task, "Task.WhenEach"),
    ];

    private const int TaskLimit = 1_000_000;
    private const int NamedLimit = 16;

    private readonly LayoutCache<SizedLayout> _lists = all.Layouts(SizedLayout.Of);
    private readonly WaitFactList _facts = new();

    // Who iterates has it in a local, which need not be saved.
    public static bool IsResource(ClrType type, int pointerSize) => type.Name == AsyncTypes.WhenEach;

    public static PromiseWaits Open(WaitReaderContext all) => new(all);

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

/// <summary>What a promise over several tasks waits for.</summary>
internal enum PromiseKind
{
    All,
    Any,
    Each,
}

/// <summary>
/// A promise that several tasks complete (System.Private.CoreLib 10.0.12, Task.cs and TaskFactory.cs): of WhenAll, WhenAny,
/// WhenEach, ContinueWhenAll, ContinueWhenAny.
/// </summary>
internal sealed record PromiseLayout
{
    private const string Prefix = "System.Threading.Tasks.Task";

    public required PromiseKind Kind { get; init; }

    /// <summary>Offset of an int: tasks that have not completed.</summary>
    public int? Remaining { get; init; }

    /// <summary>Offset of the array or list of all tasks.</summary>
    public int? Tasks { get; init; }

    /// <summary>Offsets of single tasks.</summary>
    public IReadOnlyList<int> Singles { get; init; } = [];

    public static PromiseLayout? Of(ClrType type, int pointerSize)
    {
        int? Field(string name) => FieldPath.Find(type, pointerSize, name);
        bool Is(string name) => type.Name?.StartsWith(Prefix + name, StringComparison.Ordinal) == true;
        return Is("+WhenAllPromise") ? new() { Kind = PromiseKind.All, Remaining = Field("_remainingToComplete") ?? Field("m_count"), Tasks = Field("m_tasks") }
            : Is("+TwoTaskWhenAnyPromise") ? new() { Kind = PromiseKind.Any, Singles = [.. new[] { Field("_task1"), Field("_task2") }.OfType<int>()] }
            : type.Name == AsyncTypes.WhenEach ? new() { Kind = PromiseKind.Each, Remaining = Field("<Remaining>k__BackingField") }
            : Is("Factory+CompleteOnCountdownPromise") ? new() { Kind = PromiseKind.All, Remaining = Field("_count"), Tasks = Field("_tasks") }
            : Is("Factory+CompleteOnInvokePromise") ? new() { Kind = PromiseKind.Any, Tasks = Field("_tasks") }
            : null;
    }
}
