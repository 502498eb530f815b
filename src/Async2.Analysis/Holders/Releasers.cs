using Async2.Analysis.Code.Modules;
using Async2.Analysis.Holders.Flow;
using Async2.Analysis.Holders.Kept;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Holders;

/// <summary>Which locks are released when a value is disposed.</summary>
internal sealed class Releasers(Target target, DictionaryEntries entries, LoadedModules modules, MethodSummaries summaries, DelegateTargets delegates)
{
    private const int Near = 3;
    private const int ObjectLimit = 64;
    private const string This = "<>4__this";

    private readonly Dictionary<(ulong Module, int Token), ModuleMethod[]> _disposals = [];

    /// <summary>By the IL of its Dispose; where that calls a delegate, the only lock that is near it.</summary>
    public IEnumerable<ulong> ReleasedBy(FieldsAt releaser)
    {
        if (RateLimits.IsLease(releaser.Type))
            return RateLimits.HeldBy(target, releaser) is not 0 and var limiter ? [limiter] : [];
        if (DelegateTargets.IsDelegate(releaser.Type))
            return ReleasedByCall(releaser.Address - (ulong)target.Memory.PointerSize);
        MethodSummary[] disposals = [.. DisposalsOf(releaser.Type).Select(method => summaries.Of(method, 0))];
        var values = new SymbolValues(target, entries, new FieldMemory(releaser));
        ulong[] said = [.. disposals.SelectMany(disposal => disposal.Releases).Select(values.ObjectOf).Where(found => found != 0).Distinct()];
        if (said.Length > 0 || !disposals.Any(disposal => disposal.IsOpaque))
            return said;
        return NearestLock(releaser) is not 0 and var near ? [near] : [];
    }

    /// <summary>Channels into which its Dispose writes something: what it was lent, if it was.</summary>
    public IEnumerable<ulong> GivesTo(FieldsAt releaser)
    {
        var values = new SymbolValues(target, entries, new FieldMemory(releaser));
        return [.. DisposalsOf(releaser.Type).SelectMany(method => summaries.Of(method, 0).Gives).Select(given => values.ObjectOf(given.Channel)).Where(found => found != 0).Distinct()];
    }

    // What a delegate's method releases of what it is called on.
    private IEnumerable<ulong> ReleasedByCall(ulong called)
    {
        if (delegates.MethodOf(called) is not { Facts.IsStatic: false, Module.IsFramework: false } method || FieldsAt.Of(target, delegates.BoundTo(called)) is not { } fields)
            return [];
        var values = new SymbolValues(target, entries, new FieldMemory(fields));
        return [.. summaries.Of(method, 0).Releases.Select(values.ObjectOf).Where(found => found != 0).Distinct()];
    }

    /// <summary>The methods that dispose objects of a type of the program.</summary>
    public IReadOnlyList<ModuleMethod> DisposalsOf(ClrType type)
    {
        if (type.Module is not { } clrModule || type.IsArray || modules.Of(clrModule) is not { IsFramework: false, Metadata: { } metadata } module)
            return [];
        (ulong, int) key = (clrModule.Address, (int)type.MetadataToken);
        if (!_disposals.TryGetValue(key, out ModuleMethod[]? known))
            _disposals[key] = known = [.. metadata.MethodsOf(type.MetadataToken).Select(metadata.FactsOf).OfType<Metadata.Signatures.MethodFacts>().Where(IsDisposal).Select(facts => new ModuleMethod(module, facts))];
        return known;
    }

    /// <summary>It disposes its object.</summary>
    public static bool IsDisposal(Metadata.Signatures.MethodFacts facts) => facts is { ParameterCount: 0, IsStatic: false } && IsDisposal(facts.RawName);

    private static bool IsDisposal(string name)
        => name is "Dispose" or "DisposeAsync" || name.EndsWith(".Dispose", StringComparison.Ordinal) || name.EndsWith(".DisposeAsync", StringComparison.Ordinal);

    // Breadth first. A closure's "this" leads to everything that its object has.
    private ulong NearestLock(FieldsAt releaser)
    {
        var seen = new HashSet<ulong>();
        List<FieldsAt> level = [releaser];
        for (int distance = 0; distance < Near && level.Count > 0; distance++)
        {
            List<FieldsAt> next = [.. level.SelectMany(ReferencesOf).Where(seen.Add).Take(ObjectLimit).Select(item => FieldsAt.Of(target, item)).OfType<FieldsAt>()];
            ulong[] locks = [.. next.Where(item => LockCalls.IsLock(item.Type.Name ?? "")).Select(item => item.Address - (ulong)target.Memory.PointerSize)];
            if (locks.Length > 0)
                return locks is [var only] ? only : 0;
            level = next;
        }
        return 0;
    }

    private IEnumerable<ulong> ReferencesOf(FieldsAt item)
    {
        foreach (ClrInstanceField field in item.Type.Fields)
        {
            if (field.IsObjectReference && field.Offset >= 0 && field.Name != This && target.Memory.TryReadPointer(item.Address + (ulong)field.Offset, out ulong reference) && reference != 0)
                yield return reference;
        }
    }
}
