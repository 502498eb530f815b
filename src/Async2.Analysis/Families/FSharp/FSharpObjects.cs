using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Families.FSharp;

/// <summary>Reads closures of F# and the objects that they are kept in.</summary>
internal sealed class FSharpObjects(Target target)
{
    // From the closure at the end of a child of Async.Parallel to the context of its parent.
    private const int ClosuresBetween = 16;

    private readonly LayoutCache<FSharpAsyncLayout> _layouts = new(target.Runtime, FSharpAsyncLayout.Of);
    private readonly Dictionary<ulong, FSharpAsyncKind> _kinds = [];
    private readonly Dictionary<ulong, bool> _ofUser = [];

    public HeapObject At(ulong address) => new(target.Memory, address);

    /// <summary>What an object is to asyncs.</summary>
    public FSharpAsyncKind KindOf(HeapObject item)
    {
        ulong methodTable = item.MethodTable();
        if (!_kinds.TryGetValue(methodTable, out FSharpAsyncKind kind))
            _kinds[methodTable] = kind = TypeLookup.Of(target.Runtime, methodTable) is { } type ? FSharpAsyncLayout.KindOf(type) : FSharpAsyncKind.None;
        return kind;
    }

    /// <summary>What a field refers to; address 0 if there is no such field, or nothing in it.</summary>
    public HeapObject Field(HeapObject item, string name)
        => item.Address != 0 && _layouts.Of(item) is { } layout && layout[name] is >= 0 and var offset ? item.At(offset) : At(0);

    /// <summary>The context that a closure goes on with; 0 if it has none.</summary>
    public ulong ContextOf(HeapObject closure)
        => closure.Address != 0 && _layouts.Of(closure) is { Context: >= 0 and var offset } ? closure.Reference(offset) : 0;

    /// <summary>What counts the children of Async.Parallel or Choice that a closure is the end of; 0 for another closure.</summary>
    public ulong CountOf(HeapObject closure) => Field(closure, "count").Address;

    /// <summary>The closure behind others that goes on with a context: where several asyncs come together. Address 0 at the end of an async.</summary>
    public HeapObject HolderBehind(HeapObject closure)
    {
        var ahead = new Queue<HeapObject>([closure]);
        for (int i = 0; i < ClosuresBetween && ahead.TryDequeue(out HeapObject current); i++)
        {
            if (ContextOf(current) != 0)
                return current;
            if (current.Address == 0 || _layouts.Of(current) is not { } layout)
                continue;
            foreach (int offset in layout.Functions)
                ahead.Enqueue(current.At(offset));
        }
        return At(0);
    }

    /// <summary>The closure is none of FSharp.Core's own.</summary>
    public bool IsOfUser(HeapObject closure)
    {
        ulong methodTable = closure.MethodTable();
        if (!_ofUser.TryGetValue(methodTable, out bool isOfUser))
        {
            _ofUser[methodTable] = isOfUser = TypeLookup.Of(target.Runtime, methodTable) is { Module: { } module }
                && Path.GetFileNameWithoutExtension(module.Name) is not "FSharp.Core";
        }
        return isOfUser;
    }
}
