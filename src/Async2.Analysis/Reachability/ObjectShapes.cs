using System.Collections.Concurrent;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Reachability;

/// <summary>The shapes of all types of a heap, each read once. Any number of threads may ask; one at a time asks the target.</summary>
internal sealed class ObjectShapes(Target target)
{
    private readonly ConcurrentDictionary<ulong, ObjectShape?> _shapes = [];
    private readonly Dictionary<ulong, bool> _completers = [];
    private readonly Dictionary<ulong, bool> _sources = [];
    private readonly Dictionary<ulong, int> _samples = [];
    private readonly object _asking = new();

    // Asking costs as much as following some thousand objects.
    private const int OftenSampled = 3;

    /// <summary>Null if there is no valid type at the address.</summary>
    public ObjectShape? Of(ulong methodTable)
    {
        if (_shapes.TryGetValue(methodTable, out ObjectShape? shape))
            return shape;
        lock (_asking)
        {
            if (_shapes.TryGetValue(methodTable, out shape))
                return shape;
            shape = ObjectShape.Of(target.Memory, methodTable);
            if (shape is { IsCollectible: true })
                shape = Kept(methodTable) is { } kept ? shape.Keeping(kept) : null;
            return _shapes[methodTable] = shape;
        }
    }

    /// <summary>Types of tasks that run chains of continuations: an ended one still refers to its last chain, which nothing will ever resume.</summary>
    public ChainTasks? Chains { get; init; }

    /// <summary>Strings and arrays of numbers are not to be left out: somebody wants to know whether they are reached.</summary>
    public bool IsExact { get; set; }

    /// <summary>A type was met in a sample. Of one that is met often, fields that lead to strings and arrays of numbers are left out.</summary>
    /// <param name="methodTable">The type.</param>
    /// <param name="cache">Told when its shape has changed.</param>
    public void Sample(ulong methodTable, ShapeCache cache)
    {
        lock (_asking)
        {
            int count = _samples[methodTable] = _samples.GetValueOrDefault(methodTable) + 1;
            if (!IsExact && count == OftenSampled && Of(methodTable) is { } shape && LeafFields.Of(TypeLookup.Of(target.Runtime, methodTable), shape, target.Memory.PointerSize) is not 0 and var leaves)
                _shapes[methodTable] = shape.Without(leaves);
            if (count >= OftenSampled)
                cache.Forget(methodTable);
        }
    }

    /// <summary>
    /// Whether an object of a type may complete a plain promise that it refers to. Code outside of the runtime can do so by a
    /// TaskCompletionSource or a method builder only; a task, a list or a closure that has the promise can wait for it, and no more.
    /// </summary>
    public bool MayComplete(ulong methodTable)
    {
        lock (_asking)
        {
            if (!_completers.TryGetValue(methodTable, out bool may))
                _completers[methodTable] = may = TypeLookup.Of(target.Runtime, methodTable) is not { } type || PromiseCompleters.Has(type, Of(methodTable)?.Items.Length > 0);
            return may;
        }
    }

    /// <summary>Whether an object of a type refers to a promise as one that tells it of its end: a task, its list of such, what the pool was given.</summary>
    public bool IsSource(ulong methodTable)
    {
        lock (_asking)
        {
            if (!_sources.TryGetValue(methodTable, out bool isSource))
                _sources[methodTable] = isSource = TypeLookup.Of(target.Runtime, methodTable) is not { } type || PromiseCompleters.Tells(type);
            return isSource;
        }
    }

    // The exposed LoaderAllocator keeps the statics of a collectible assembly; any of its objects keeps it (coreclr, gc.cpp, go_through_object_cl).
    private ulong? Kept(ulong methodTable)
        => TypeLookup.Of(target.Runtime, methodTable) is { LoaderAllocatorHandle: not 0 and var handle } && target.Memory.TryReadPointer(handle, out ulong allocator) ? allocator : null;
}

/// <summary>Tasks that run chains of continuations.</summary>
/// <param name="MethodTables">Their types, as far as there are some that have not ended.</param>
/// <param name="Layout">Where their fields are.</param>
internal sealed record ChainTasks(IReadOnlySet<ulong> MethodTables, TaskLayout Layout);

/// <summary>Tells types whose objects may complete a plain promise from those that only know it.</summary>
internal static class PromiseCompleters
{
    // A builder stands in structs of structs at most: an awaiter, a tuple.
    private const int Depth = 3;
    private const string Builder = "MethodBuilder";

    // What holds objects without knowing what they are.
    private static readonly string[] Holders = ["System.Collections.Generic.", "System.Collections.Concurrent.", "System.Runtime.CompilerServices.Continuation", "System.Runtime.CompilerServices.StrongBox<System.Threading.Tasks.Task"];

    /// <param name="type">The type.</param>
    /// <param name="hasStructs">It is an array of structs that hold references.</param>
    public static bool Has(ClrType type, bool hasStructs)
    {
        if (type.Name is not { } name)
            return true;
        if (BaseTypes.Find(type, TaskLayout.TypeName) is not null)
            return false;
        if (type.IsArray)
            return hasStructs;
        if (Array.Exists(Holders, holder => name.StartsWith(holder, StringComparison.Ordinal)))
            return name.Contains(Builder, StringComparison.Ordinal);
        // The runtime's own: a TaskCompletionSource, a closure of TaskFactory.FromAsync.
        return IsOfRuntime(type) || HasBuilder(type, Depth);
    }

    public static bool Tells(ClrType type)
        => type.Name is not { } name || name is "System.Object[]" || BaseTypes.Find(type, TaskLayout.TypeName) is not null
            || (name.StartsWith("System.Threading.Tasks.", StringComparison.Ordinal) && !type.IsArray);

    private static bool IsOfRuntime(ClrType type)
    {
        for (ClrType? derived = type; derived is not null; derived = derived.BaseType)
        {
            if (derived.Name is not { } name || (name != "System.Object" && name.StartsWith("System.", StringComparison.Ordinal)))
                return true;
        }
        return false;
    }

    private static bool HasBuilder(ClrType type, int depth)
    {
        foreach (ClrInstanceField field in type.Fields)
        {
            if (!field.IsValueType)
                continue;
            if (depth == 0 || field.Type is not { Name: { } name } inner || name.Contains(Builder, StringComparison.Ordinal) || (!inner.IsPrimitive && HasBuilder(inner, depth - 1)))
                return true;
        }
        return false;
    }
}

/// <summary>Fields that can hold nothing but strings and arrays of numbers, from which nothing is reached.</summary>
internal static class LeafFields
{
    /// <returns>A bit for each such word of an object; ~0 for an array of them.</returns>
    public static ulong Of(ClrType? type, ObjectShape shape, int pointerSize)
    {
        if (type is null)
            return 0;
        if (shape.IsOfReferences)
            return type.ComponentType is { } item && IsLeaf(item) ? ~0UL : 0;
        ulong leaves = 0;
        foreach (ClrInstanceField field in type.Fields)
        {
            if (!field.IsValueType && field.Offset >= 0 && field.Offset + pointerSize < 64 * pointerSize
                && (field.ElementType == ClrElementType.String || (field.ElementType == ClrElementType.SZArray && field.Type is { } found && IsLeaf(found))))
                leaves |= 1UL << ((field.Offset + pointerSize) / pointerSize);
        }
        return leaves & shape.Fields;
    }

    // An array of enums may keep the assembly of the enum.
    private static bool IsLeaf(ClrType type)
        => type.IsString || (type is { IsArray: true, ComponentType: { IsPrimitive: true, IsEnum: false, ElementType: not (ClrElementType.Class or ClrElementType.Object or ClrElementType.Struct) } });
}
