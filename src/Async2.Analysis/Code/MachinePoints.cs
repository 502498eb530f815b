using Async2.Analysis.Code.Metadata;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Code;

/// <summary>From a state machine's type and state to the await and its source line: by IL and PDB, no native code is needed.</summary>
internal sealed class MachinePoints(LoadedModules modules)
{
    // What its creator stores: before the first await, and of an async iterator that nobody has begun to read.
    private const int NotStarted = -1;
    private const int NotRead = -3;
    private const int NotStartedFSharp = 0;

    private readonly Dictionary<(ClrType, int), bool> _impossible = [];

    public MachinePoint At(ClrType machine, int state)
    {
        if (machine.Module is not { } clrModule)
            return new MachinePoint { RuntimeTypeName = machine.Name };
        LoadedModule module = modules.Of(clrModule);
        if (module.Metadata?.MoveNextOf(machine.MetadataToken) is not { } token || module.Metadata.FactsOf(token) is not { } facts)
            return new MachinePoint { RuntimeTypeName = machine.Name };
        ClrMethod? moveNext = machine.Methods.FirstOrDefault(m => m.MetadataToken == token);
        MachineAwait? found = state < 0 ? null : module.MachineAwaitsOf(facts, moveNext).FirstOrDefault(a => a.State == state);
        return new MachinePoint
        {
            MoveNext = new ModuleMethod(module, facts),
            RuntimeTypeName = machine.Name,
            Await = found,
            IsImpossible = found is null && IsImpossible(machine, state, module, facts, moveNext),
            Source = found is null ? null : module.Symbols.LineOf(token, found.ILOffset),
        };
    }

    private bool IsImpossible(ClrType machine, int state, LoadedModule module, MethodFacts facts, ClrMethod? moveNext)
    {
        if (state is NotStarted or NotRead or NotStartedFSharp)
            return false;
        if (!_impossible.TryGetValue((machine, state), out bool known))
            _impossible[(machine, state)] = known = module.StatesStored(facts, moveNext)?.Contains(state) == false;
        return known;
    }
}
