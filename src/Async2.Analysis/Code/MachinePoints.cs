using Async2.Analysis.Code.Metadata;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Code;

/// <summary>From a state machine's type and state to the await and its source line: by IL and PDB, no native code is needed.</summary>
internal sealed class MachinePoints(LoadedModules modules)
{
    public MachinePoint At(ClrType machine, int state)
    {
        if (machine.Module is not { } clrModule)
            return new MachinePoint { RuntimeTypeName = machine.Name };
        LoadedModule module = modules.Of(clrModule);
        if (module.Metadata?.MoveNextOf(machine.MetadataToken) is not { } token || module.Metadata.FactsOf(token) is not { } facts)
            return new MachinePoint { RuntimeTypeName = machine.Name };
        MachineAwait? found = state < 0 ? null
            : module.MachineAwaitsOf(facts, machine.Methods.FirstOrDefault(m => m.MetadataToken == token)).FirstOrDefault(a => a.State == state);
        return new MachinePoint
        {
            MoveNext = new ModuleMethod(module, facts),
            RuntimeTypeName = machine.Name,
            Await = found,
            Source = found is null ? null : module.Symbols.LineOf(token, found.ILOffset),
        };
    }
}
