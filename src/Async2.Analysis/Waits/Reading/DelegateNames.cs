using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Layouts.Waits;

namespace Async2.Analysis.Waits.Reading;

/// <summary>Names of the methods that delegates call, from metadata: asking ClrMD for a method's name may crash the DAC.</summary>
internal sealed class DelegateNames(WaitReaderContext all)
{
    private readonly LayoutCache<DelegateLayout> _layouts = all.Layouts(DelegateLayout.Of);
    private readonly Dictionary<ulong, string?> _names = [];

    /// <summary>Null when the method is not known.</summary>
    public string? Of(HeapObject item)
    {
        if (_layouts.Of(item) is not { } layout)
            return null;
        // The code of a static method is the second one; the first then only moves arguments.
        ulong code = item.Reference(layout.CodeAux) is not 0 and var own ? own : item.Reference(layout.Code);
        if (!_names.TryGetValue(code, out string? name))
            _names[code] = name = code == 0 ? null : Find(code);
        return name;
    }

    private string? Find(ulong code)
        => all.Modules.Describe(all.Target.Runtime.GetMethodByInstructionPointer(code)) is { } method ? method.Module.Metadata?.NameOf(method.Token)?.Name : null;
}
