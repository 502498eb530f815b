using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Layouts.Waits;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Waits.Reading;

/// <summary>The objects of libraries that a wait may be about, by what they are.</summary>
internal sealed class LibraryObjects(Target target, WaitResources resources)
{
    private readonly LayoutCache<LibraryLayout> _layouts = new(target.Runtime, (type, _) => LibraryLayout.Of(type));
    private ILookup<LibraryObject, HeapObject>? _byKind;

    /// <summary>In the order of the heap.</summary>
    public IEnumerable<HeapObject> Of(LibraryObject kind) => (_byKind ??= Build())[kind];

    /// <summary>Null for an object of no library that is known.</summary>
    public LibraryLayout? LayoutOf(HeapObject item) => item.Address == 0 ? null : _layouts.Of(item);

    private ILookup<LibraryObject, HeapObject> Build()
        => resources.Addresses.Select(address => new HeapObject(target.Memory, address))
            .Where(item => LayoutOf(item) is not null)
            .ToLookup(item => LayoutOf(item)!.Kind);
}
