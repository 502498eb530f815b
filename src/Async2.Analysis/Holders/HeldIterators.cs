using Async2.Analysis.Code.Modules;
using Async2.Analysis.Holders.Flow;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Holders;

/// <summary>What an async iterator holds while its reader does something else with the element: it stands at a <c>yield</c>, and goes on when it is disposed.</summary>
internal sealed class HeldIterators(Target target, DictionaryEntries entries, LoadedModules modules, AwaitFlows flows)
{
    private const string State = "<>1__state", Current = "<>2__current";

    /// <summary>The locks; 0 for one of which it is not known which it is. None for what is not an iterator that stands there.</summary>
    public IReadOnlyList<ulong> HeldBy(FieldsAt item)
    {
        if (YieldOf(item) is not { } state)
            return [];
        if (item.Type.Module is not { } clrModule || modules.Of(clrModule) is not { IsFramework: false, Metadata: { } metadata } module
            || metadata.MoveNextOf(item.Type.MetadataToken) is not { } token || metadata.FactsOf(token) is not { } facts || flows.AtState(new ModuleMethod(module, facts), state, awaiter: null) is not { } flow)
            return [0];
        var values = new SymbolValues(target, entries, new FieldMemory(item), flow.Before);
        IEnumerable<ulong> owed = flow.Owed.Select(values.ObjectOf);
        return [.. flow.After.IsWhole ? owed : owed.Append(0UL)];
    }

    /// <summary>The state of an async iterator that stands between two elements; null for what is none.</summary>
    public int? YieldOf(FieldsAt item)
        => item.Type.GetFieldByName(Current) is not null && item.Type.GetFieldByName(State) is { Offset: >= 0 } field
            && target.Memory.TryReadUInt32(item.Address + (ulong)field.Offset, out uint state) && MachineFields.IsYield(unchecked((int)state)) ? unchecked((int)state) : null;
}
