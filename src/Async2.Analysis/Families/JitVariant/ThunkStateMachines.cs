using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Descriptions;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Families.JitVariant;

/// <summary>
/// State machines of the async2 experiment's runtime whose boxes are the tasks of chains: those of its async methods
/// <c>FinalizeTaskReturningThunk</c>, which hold the chain's head in a local (dotnet/runtimelab, feature/async2-experiment,
/// RuntimeHelpers.CoreCLR.cs). A description may name other methods and locals.
/// </summary>
internal sealed class ThunkStateMachines(LayoutFacts facts)
{
    private const string Methods = "ContinuationTaskMethods";
    private const string Heads = "ContinuationTaskHeadFields";

    // Roslyn calls the field of a local <name>5__1.
    private const string LocalSuffix = ">5__";

    private readonly Dictionary<ulong, int> _known = [];
    private (string[] Methods, string[] Heads)? _names;

    /// <summary>Where a machine keeps the head of its chain, from its beginning; -1 of all other machines.</summary>
    public int HeadIn(in BoxedStateMachine machine, ulong boxMethodTable, int pointerSize)
    {
        ulong key = machine.IsObject ? machine.Layout.Type.MethodTable : boxMethodTable;
        if (!_known.TryGetValue(key, out int offset))
            _known[key] = offset = Find(machine.Layout.Type, machine.IsObject ? pointerSize : 0);
        return offset;
    }

    private int Find(ClrType machine, int header)
    {
        string name = machine.Name ?? "";
        // No user writes there, so that only few machines are compared with names that have to be read first.
        if (!ResumptionMethods.IsOfRuntime(name) && !facts.IsDescribed(AsyncLayoutParts.Continuations))
            return -1;
        _names ??= Names();
        if (!Array.Exists(_names.Value.Methods, method => name.Contains($"<{method}>", StringComparison.Ordinal)))
            return -1;
        foreach (ClrInstanceField field in machine.Fields)
        {
            if (field is { IsObjectReference: true, Offset: >= 0, Name: { } own } && Array.Exists(_names.Value.Heads, head => IsLocal(own, head)))
                return field.Offset + header;
        }
        return -1;
    }

    private (string[] Methods, string[] Heads) Names()
    {
        LayoutFacts all = facts.OrBuiltIn(Baselines.Jit);
        return (all.Names(Methods), all.Names(Heads));
    }

    private static bool IsLocal(string field, string name)
        => field == name || (field.StartsWith('<') && field.AsSpan(1).StartsWith(name) && field.AsSpan(1 + name.Length).StartsWith(LocalSuffix));
}
