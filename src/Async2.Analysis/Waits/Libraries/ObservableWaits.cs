using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;

namespace Async2.Analysis.Waits.Libraries;

/// <summary>An observable that is awaited as a task (System.Reactive 6.0.1).</summary>
internal sealed class ObservableWaits(WaitReaderContext all) : IWaitFamily<ObservableWaits>
{
    private const string Operators = "System.Reactive.Linq.ObservableImpl.";

    public static IReadOnlyList<LibraryObject> Objects { get; } = [new("System.Reactive.Threading.Tasks.TaskObservableExtensions+ToTaskObserver<", "_tcs", "_task")];

    public static ObservableWaits Open(WaitReaderContext all) => new(all);

    // The operator is the outer class of the worker: ObservableImpl.FirstAsync<int>+Sequence+_.
    public WaitReason? ReadOwner(HeapObject owner, LibraryObject kind)
    {
        HeapObject upstream = all.Fields.Follow(owner, "_disposable/_current");
        string? name = upstream.Address == 0 ? null : TypeLookup.Of(all.Target.Runtime, upstream.MethodTable())?.Name;
        string? from = name?.StartsWith(Operators, StringComparison.Ordinal) == true ? name[Operators.Length..].Split('+', '<', '`')[0] : null;
        return new(WaitKind.Task, "IObservable.ToTask") { Resource = owner.Address, Shared = from is null ? [] : [new(WaitFactKey.From, Text: from)] };
    }
}
