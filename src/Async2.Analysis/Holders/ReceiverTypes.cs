using Async2.Analysis.Code.Modules;
using Async2.Analysis.Holders.Flow;
using Async2.Analysis.Holders.Kept;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Metadata.Awaits;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Holders;

/// <summary>Finds the bodies of virtual calls by the objects that a frame refers to: these say of which type they are.</summary>
internal sealed class ReceiverTypes(LoadedModules modules)
{
    private readonly Dictionary<(ulong Module, int Type, string Name, int Parameters), (bool IsKnown, ModuleMethod? Body)> _bodies = [];

    /// <summary>Null if no object is known.</summary>
    public KnownBodies? Of(AwaitFlow flow, SymbolValues values)
    {
        var found = new Dictionary<int, ModuleMethod?>();
        foreach ((int call, OpenCall open) in flow.Open)
        {
            if (values.FieldsOf(open.Receiver) is { } item && BodyIn(item.Type, open.Callee) is { IsKnown: true } known)
                found[call] = known.Body;
        }
        return found.Count == 0 ? null : new KnownBodies(found);
    }

    private (bool IsKnown, ModuleMethod? Body) BodyIn(ClrType type, CalleeRef callee)
    {
        if (type.Module is not { } own)
            return default;
        (ulong, int, string, int) key = (own.Address, (int)type.MetadataToken, callee.Name, callee.ParameterCount);
        if (!_bodies.TryGetValue(key, out (bool, ModuleMethod?) known))
            _bodies[key] = known = Find(type, callee);
        return known;
    }

    // The most derived one; with overloads it is not known which.
    private (bool IsKnown, ModuleMethod? Body) Find(ClrType type, CalleeRef callee)
    {
        foreach (ClrType level in BaseTypes.Of(type))
        {
            if (level.Module is not { } clrModule || modules.Of(clrModule) is not { Metadata: { } metadata } module)
                return default;
            if (module.IsFramework)
                return (true, null);
            ModuleMethod[] bodies = [.. metadata.MethodsOf((int)level.MetadataToken).Select(metadata.FactsOf).OfType<Metadata.Signatures.MethodFacts>()
                .Where(facts => !facts.IsStatic && !facts.IsAbstract && facts.ParameterCount == callee.ParameterCount && OpenCalls.NameOf(facts.RawName) == callee.Name)
                .Select(facts => new ModuleMethod(module, facts))];
            if (bodies.Length > 0)
                return bodies is [var only] ? (true, only) : default;
        }
        return default;
    }
}
