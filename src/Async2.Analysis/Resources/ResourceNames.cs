using Async2.Analysis.Code.Modules;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Metadata.Names;
using Async2.Analysis.Model;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;

namespace Async2.Analysis.Resources;

/// <summary>
/// The names of the resources that stacks wait for, as the program has them: <c>Orders._till</c>. A static field comes first, then a field
/// of an object on the waiter's stack, then a path from a static field, <c>Shop.Gates[1]</c>. Names are looked up on demand
/// and cached.
/// </summary>
/// <param name="target">Has the objects.</param>
/// <param name="modules">Its modules.</param>
/// <param name="fields">Static fields of the program.</param>
/// <param name="problems">Receives a problem if a search reached its limit.</param>
internal sealed class ResourceNames(Target target, LoadedModules modules, StaticFields fields, ProblemLog problems)
{
    private const int StaticLimit = 200_000;
    private const int StackLimit = 1_000;
    private const int FrameLimit = 64;
    private const int HeldLimit = 256;

    private readonly Dictionary<ulong, WaitResource> _known = [];
    private readonly Dictionary<ulong, TypeShape> _shapes = [];
    private readonly ReferenceMaps _references = new(target.Memory);
    private ObjectPaths? _statics;
    private bool _hasReportedLimit;

    /// <summary>The type and the name of a resource.</summary>
    /// <param name="resource">Its address.</param>
    /// <param name="stack">Objects on the stack of somebody who waits for it: frames, or what a thread holds; innermost first.</param>
    public WaitResource Of(ulong resource, IEnumerable<ulong> stack)
    {
        if (!_known.TryGetValue(resource, out WaitResource? known))
            _known[resource] = known = new(resource, TypeOf(resource) is { } type ? TypeName.FromRuntimeName(type) : null, NameOf(resource, stack));
        return known;
    }

    /// <summary>The same of a promise, if a static field leads to it or to what completes it: <c>Requests.Pending[...]</c>; otherwise null.</summary>
    /// <param name="promise">The address of its task.</param>
    public WaitResource? OfPromise(ulong promise)
        => (_statics ??= FromStatics()).Find(promise) is { } name && TypeOf(promise) is { } type ? new(promise, TypeName.FromRuntimeName(type), name) : null;

    private string? NameOf(ulong resource, IEnumerable<ulong> stack)
    {
        ObjectPaths statics = _statics ??= FromStatics();
        if (statics.RootAt(resource) is { } direct)
            return direct;
        string? name = FromStack(stack, resource).Find(resource) ?? statics.Find(resource);
        if (name is null && statics.IsCut)
            ReportLimit();
        return name;
    }

    private ObjectPaths FromStatics()
    {
        var paths = new ObjectPaths(target, ShapeOf, StaticLimit);
        foreach ((string name, ulong address) in fields.All)
            paths.AddRoot(name, address);
        if (fields.IsCut)
            ReportLimit();
        return paths;
    }

    // A resource in a local variable has no field.
    private ObjectPaths FromStack(IEnumerable<ulong> stack, ulong resource)
    {
        var paths = new ObjectPaths(target, ShapeOf, StackLimit);
        foreach (ulong item in stack.Take(FrameLimit).SelectMany(HeldBy).Where(item => item != resource).Take(HeldLimit).Distinct())
        {
            // Variables of a closure or an iterator have no type that could be part of the name.
            if (ShapeOf(MethodTableOf(item)).Kind == TypeShapeKind.Object && TypeOf(item) is { } type)
                paths.AddRoot(GeneratedName.IsHiddenType(type[(type.LastIndexOf('+') + 1)..]) ? "" : TypeName.Short(TypeName.FromRuntimeName(type)), item);
        }
        return paths;
    }

    // A frame itself, what it refers to, and what lies in the arrays that it refers to.
    private IEnumerable<ulong> HeldBy(ulong frame)
    {
        yield return frame;
        var item = new HeapObject(target.Memory, frame);
        foreach (ulong reference in _references.Of(item.MethodTable()).Offsets.Select(item.Reference).Where(reference => reference != 0))
        {
            yield return reference;
            if (ShapeOf(MethodTableOf(reference)).Kind != TypeShapeKind.Array)
                continue;
            foreach (ulong element in ArrayLayout.ReadReferences(target.Memory, reference, HeldLimit).Where(element => element != 0))
                yield return element;
        }
    }

    private TypeShape ShapeOf(ulong methodTable)
    {
        if (!_shapes.TryGetValue(methodTable, out TypeShape? shape))
            _shapes[methodTable] = shape = TypeLookup.Of(target.Runtime, methodTable) is { } type ? TypeShape.Of(target, type, module => !modules.Of(module).IsFramework) : TypeShape.Opaque;
        return shape;
    }

    private ulong MethodTableOf(ulong address) => MethodTables.TryRead(target.Memory, address, out ulong methodTable) ? methodTable : 0;

    private string? TypeOf(ulong address) => TypeLookup.Of(target.Runtime, MethodTableOf(address))?.Name;

    private void ReportLimit()
    {
        if (_hasReportedLimit)
            return;
        _hasReportedLimit = true;
        problems.Add(ProblemCodes.NamesCutShort, FormattableString.Invariant($"the program's static fields lead to more than {StaticLimit:N0} objects: the search for the names of semaphores, channels and locks was stopped"));
    }
}
