using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;

namespace Async2.Analysis.Waits;

/// <summary>
/// Tasks that are only promises, by the object that will complete them: to its waiters each is an anonymous TaskCompletionSource, but
/// an object of a library knows its purpose.
/// </summary>
/// <param name="all">The target's objects.</param>
/// <param name="families">Readers, with the objects that each knows.</param>
internal sealed class PromiseOwners(WaitReaderContext all, IReadOnlyList<(IWaitReader Reader, IReadOnlyList<LibraryObject> Objects)> families)
{
    private Dictionary<ulong, (HeapObject Owner, LibraryObject Kind, IWaitReader Reader)>? _byTask;

    /// <summary>Null when nobody is known to complete a task.</summary>
    public WaitReason? Of(ulong task)
        => (_byTask ??= Build()).TryGetValue(task, out (HeapObject Owner, LibraryObject Kind, IWaitReader Reader) found) ? found.Reader.ReadOwner(found.Owner, found.Kind) : null;

    private Dictionary<ulong, (HeapObject, LibraryObject, IWaitReader)> Build()
    {
        var found = new Dictionary<ulong, (HeapObject, LibraryObject, IWaitReader)>();
        foreach ((IWaitReader reader, IReadOnlyList<LibraryObject> objects) in families)
        {
            foreach (LibraryObject kind in objects.Where(kind => kind.Task.Count > 0))
            {
                foreach (HeapObject owner in all.Library.Of(kind))
                {
                    if (all.Fields.Follow(owner, [.. kind.Task]) is { Address: not 0 } task)
                        found.TryAdd(task.Address, (owner, kind, reader));
                }
            }
        }
        return found;
    }
}
