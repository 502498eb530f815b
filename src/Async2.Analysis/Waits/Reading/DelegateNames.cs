using Async2.Analysis.Code.Decoding;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Metadata.Names;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Reading;

/// <summary>Names of the methods that delegates call, from metadata: asking ClrMD for a method's name may crash the DAC.</summary>
internal sealed class DelegateNames(WaitReaderContext all)
{
    private readonly LayoutCache<DelegateLayout> _layouts = all.Layouts(DelegateLayout.Of);
    private readonly CallTargets _stubs = new(all.Target);
    private readonly Dictionary<ulong, MethodName?> _names = [];

    /// <summary>Null if the method is not known.</summary>
    public string? Of(HeapObject item) => Read(item)?.Name;

    /// <summary>The same with its class, without the namespace: <c>Orders.PayAsync.lambda</c>.</summary>
    public string? LongOf(HeapObject item)
        => Read(item) is { } method ? $"{(method.Namespace.Length == 0 ? method.TypeName : method.TypeName[(method.Namespace.Length + 1)..])}.{method.Name}" : null;

    private MethodName? Read(HeapObject item)
    {
        if (_layouts.Of(item) is not { } layout)
            return null;
        // For a static method the second pointer has its code; the first one only moves arguments.
        ulong code = item.Reference(layout.CodeAux) is not 0 and var own ? own : item.Reference(layout.Code);
        if (!_names.TryGetValue(code, out MethodName? name))
            _names[code] = name = code == 0 ? null : Find(code);
        return name;
    }

    private MethodName? Find(ulong code)
        => all.Modules.Describe(_stubs.MethodAt(code)) is { } method ? method.Module.Metadata?.NameOf(method.Token) : null;
}

/// <summary>Delegates: what they call.</summary>
/// <param name="Code">Where the code, or a stub that leads to it, is.</param>
/// <param name="CodeAux">The code of a static method; 0 else.</param>
internal sealed record DelegateLayout(int Code, int CodeAux)
{
    public static DelegateLayout? Of(ClrType type, int pointerSize)
        => BaseTypes.Find(type, "System.Delegate") is { } found && FieldOffsets.Find(found, pointerSize, "_methodPtr", "_methodPtrAux") is { } fields
            ? new(fields["_methodPtr"], fields["_methodPtrAux"])
            : null;
}
