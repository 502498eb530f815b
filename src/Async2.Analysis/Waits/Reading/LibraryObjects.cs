using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Reading;

/// <summary>A type of a library whose objects know what a wait is about.</summary>
/// <param name="type">Its name; one that ends with &lt; is a beginning.</param>
/// <param name="task">Fields that lead to the task that it completes; none when it completes none.</param>
internal sealed class LibraryObject(string type, params string[] task)
{
    /// <summary>Types that derive from it are meant.</summary>
    public bool IsBase { get; init; }

    public IReadOnlyList<string> Task { get; } = task;

    public bool Fits(ClrType other)
    {
        if (other.Name is not { } name || name.EndsWith(']'))
            return false;
        if (IsBase)
            return BaseTypes.Find(other, type) is not null;
        // The class of a closure is nested in the class of its method.
        return type[^1] == '<' ? name.StartsWith(type, StringComparison.Ordinal) && !name.EndsWith("+<>c", StringComparison.Ordinal) : name == type;
    }
}

/// <summary>The objects of libraries that a wait may be about, by what they are.</summary>
/// <param name="target">Has them.</param>
/// <param name="resources">What the walk over the heap has noted.</param>
/// <param name="known">What is looked for.</param>
internal sealed class LibraryObjects(Target target, WaitResources resources, IReadOnlyList<LibraryObject> known)
{
    private readonly LayoutCache<LibraryObject> _kinds = new(target.Runtime, (type, _) => known.FirstOrDefault(kind => kind.Fits(type)));
    private ILookup<LibraryObject, HeapObject>? _byKind;

    /// <summary>In the order of the heap.</summary>
    public IEnumerable<HeapObject> Of(LibraryObject kind) => (_byKind ??= Build())[kind];

    /// <summary>The same by an object that each has: the first one that does.</summary>
    /// <param name="kind">The kind.</param>
    /// <param name="key">Finds what it has; of address 0 for nothing.</param>
    public Dictionary<ulong, HeapObject> By(LibraryObject kind, Func<HeapObject, HeapObject> key)
    {
        var found = new Dictionary<ulong, HeapObject>();
        foreach (HeapObject item in Of(kind))
        {
            if (key(item) is { Address: not 0 } at)
                found.TryAdd(at.Address, item);
        }
        return found;
    }

    /// <summary>Null for an object of no library that is known.</summary>
    public LibraryObject? KindOf(HeapObject item) => item.Address == 0 ? null : _kinds.Of(item);

    private ILookup<LibraryObject, HeapObject> Build()
        => resources.Addresses.Select(address => new HeapObject(target.Memory, address))
            .Where(item => KindOf(item) is not null)
            .ToLookup(item => KindOf(item)!);
}
