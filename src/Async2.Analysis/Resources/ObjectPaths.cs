using System.Globalization;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Resources;

/// <summary>
/// Paths from named places to objects, shortest first. The search for another object continues where the last one stopped,
/// and visits each object once. It is limited by objects, not by time, so that the same target always has the same names.
/// </summary>
/// <param name="target">Has the objects.</param>
/// <param name="shapes">Where objects of a type lead; cached for each method table by the owner of the function.</param>
/// <param name="limit">The maximum number of visited objects.</param>
internal sealed class ObjectPaths(Target target, Func<ulong, TypeShape> shapes, int limit)
{
    private const int StepLimit = 8;

    // A longer path is not a useful name.
    private const int FieldLimit = 3;
    private const int ElementLimit = 4096;
    private const string Somewhere = "[...]";

    private readonly List<Step> _steps = [];
    private readonly Dictionary<ulong, int> _met = [];
    private int _next;

    /// <summary>The limit was reached.</summary>
    public bool IsCut { get; private set; }

    /// <param name="name">The name at the beginning of a path.</param>
    /// <param name="address">The object there.</param>
    public void AddRoot(string name, ulong address) => Add(new(address, -1, 0, 1, name));

    /// <summary>The path to an object; null if there is none, or if it is too long.</summary>
    public string? Find(ulong wanted)
    {
        while (!_met.ContainsKey(wanted) && _next < _steps.Count && _steps.Count < limit)
            Expand(_next++);
        IsCut |= _steps.Count >= limit && !_met.ContainsKey(wanted);
        return _met.TryGetValue(wanted, out int found) ? NameOf(found) : null;
    }

    /// <summary>The name of an object at the beginning of a path.</summary>
    public string? RootAt(ulong wanted) => _met.TryGetValue(wanted, out int found) && _steps[found].Parent < 0 ? _steps[found].Label : null;

    private void Expand(int index)
    {
        Step step = _steps[index];
        if (step.Depth >= StepLimit || !MethodTables.TryRead(target.Memory, step.Address, out ulong methodTable))
            return;
        TypeShape shape = shapes(methodTable);
        var item = new HeapObject(target.Memory, step.Address);
        if (shape.Kind is TypeShapeKind.Array or TypeShapeKind.StructArray)
        {
            ExpandArray(step.Address, shape.Kind, index);
            return;
        }
        foreach ((int offset, string name) in shape.Fields)
        {
            int fields = step.Fields + (name.Length == 0 ? 0 : 1);
            if (fields <= FieldLimit)
                Add(new(item.Reference(offset), index, step.Depth + 1, fields, name.Length == 0 ? "" : "." + name));
        }
    }

    private void ExpandArray(ulong array, TypeShapeKind kind, int index)
    {
        int depth = _steps[index].Depth + 1;
        if (kind == TypeShapeKind.StructArray)
        {
            foreach (ClrObject item in target.Runtime.Heap.GetObject(array).EnumerateReferences(carefully: true, considerDependantHandles: false).Take(ElementLimit))
                Add(new(item.Address, index, depth, _steps[index].Fields, Somewhere));
            return;
        }
        // The index is the program's own in an array or list of its own, not in the buckets of a dictionary.
        bool isKnown = _steps[index].Parent < 0 || ParentKind(index) is TypeShapeKind.Object or TypeShapeKind.List;
        ulong[] elements = ArrayLayout.ReadReferences(target.Memory, array, ElementLimit);
        for (int i = 0; i < elements.Length && _steps.Count < limit; i++)
        {
            if (elements[i] != 0)
                Add(new(elements[i], index, depth, _steps[index].Fields, isKnown ? string.Create(CultureInfo.InvariantCulture, $"[{i}]") : Somewhere));
        }
    }

    private TypeShapeKind ParentKind(int index)
        => MethodTables.TryRead(target.Memory, _steps[_steps[index].Parent].Address, out ulong methodTable) ? shapes(methodTable).Kind : TypeShapeKind.Opaque;

    private void Add(Step step)
    {
        if (step.Address != 0 && _steps.Count < limit && _met.TryAdd(step.Address, _steps.Count))
            _steps.Add(step);
    }

    private string NameOf(int index)
    {
        string name = "";
        for (; index >= 0; index = _steps[index].Parent)
            name = _steps[index].Label == Somewhere && name.StartsWith(Somewhere, StringComparison.Ordinal) ? name : _steps[index].Label + name;
        return name.TrimStart('.');
    }

    private readonly record struct Step(ulong Address, int Parent, int Depth, int Fields, string Label);
}
