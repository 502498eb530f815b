using Async2.Analysis.Code.Decoding;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Holders.Kept;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Holders;

/// <summary>What delegates call: the method, and the object on which it is called. One that has never been called may refer to a stub of the runtime.</summary>
/// <param name="target">The target.</param>
/// <param name="modules">Its modules.</param>
internal sealed class DelegateTargets(Target target, LoadedModules modules)
{
    private readonly LayoutCache<Waits.Reading.DelegateLayout> _layouts = new(target.Runtime, Waits.Reading.DelegateLayout.Of);
    private readonly CallTargets _stubs = new(target);
    private readonly Dictionary<ulong, ModuleMethod?> _byCode = [];

    /// <summary>Objects of a type are delegates.</summary>
    public static bool IsDelegate(ClrType type) => BaseTypes.Find(type, "System.Delegate") is not null;

    /// <summary>The method; null for what is not a delegate, and for a method that is not known or has no metadata.</summary>
    public ModuleMethod? MethodOf(ulong item)
    {
        var known = new HeapObject(target.Memory, item);
        if (_layouts.Of(known) is not { } layout)
            return null;
        // For a static method the second pointer has its code; the first one only moves arguments.
        ulong code = known.Reference(layout.CodeAux) is not 0 and var own ? own : known.Reference(layout.Code);
        if (!_byCode.TryGetValue(code, out ModuleMethod? method))
            _byCode[code] = method = modules.Describe(_stubs.MethodAt(code)) is { Facts: { } facts, Module: var module } ? new(module, facts) : null;
        return method;
    }

    /// <summary>The object on which it calls a method that is not static; 0 if there is none.</summary>
    public ulong BoundTo(ulong item)
        => FieldsAt.Of(target, item) is { } fields && Layouts.Types.DelegateLayout.TargetOf(fields.Type, target.Memory.PointerSize) is not 0 and var offset
            ? new HeapObject(target.Memory, item).Reference(offset) : 0;
}
