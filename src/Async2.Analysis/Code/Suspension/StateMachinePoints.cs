using Async2.Analysis.Code.Modules;
using Async2.Analysis.Metadata.Awaits;
using Async2.Analysis.Metadata.Signatures;
using Async2.Analysis.Metadata.Symbols;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Code.Suspension;

/// <summary>From a state machine's type and state to the await and its source line: by IL and PDB, no native code is needed.</summary>
internal sealed class StateMachinePoints(LoadedModules modules)
{
    // What its creator stores: before the first await, and of an async iterator that nobody has begun to read.
    private const int NotStarted = -1;
    private const int NotRead = -3;
    private const int NotStartedFSharp = 0;

    private const int ClosuresAround = 8;

    private readonly Dictionary<(ClrType, int), bool> _impossible = [];

    /// <summary>A closure that an async of F# goes on with: the method around it, and the statement that made it, which is the one that waits.</summary>
    public StateMachinePoint AtClosure(ClrType closure)
    {
        if (closure.Module is not { } clrModule)
            return new StateMachinePoint { RuntimeTypeName = closure.Name, IsClosure = true };
        LoadedModule module = modules.Of(clrModule);
        MethodFacts? facts = module.Metadata?.MethodOf(closure.MetadataToken, "Invoke") is { } token ? module.Metadata.FactsOf(token) : null;
        return new StateMachinePoint
        {
            MoveNext = facts is null ? null : new ModuleMethod(module, facts),
            RuntimeTypeName = closure.Name,
            Source = facts is null ? null : LineOf(module, closure.MetadataToken),
            IsClosure = true,
        };
    }

    // What FSharp.Core has inlined has no lines; what that is in has.
    private static SourceLine? LineOf(LoadedModule module, int closure)
    {
        for (int i = 0; i < ClosuresAround && module.Metadata?.MakerOf(closure) is { } maker; i++)
        {
            if (module.Symbols.LineOf(maker.Method, maker.ILOffset) is { } line)
                return line;
            if (module.Metadata.FactsOf(maker.Method) is not { } facts)
                return null;
            closure = facts.DeclaringToken;
        }
        return null;
    }

    public StateMachinePoint At(ClrType machine, int state)
    {
        if (machine.Module is not { } clrModule)
            return new StateMachinePoint { RuntimeTypeName = machine.Name };
        LoadedModule module = modules.Of(clrModule);
        if (module.Metadata?.MoveNextOf(machine.MetadataToken) is not { } token || module.Metadata.FactsOf(token) is not { } facts)
            return new StateMachinePoint { RuntimeTypeName = machine.Name };
        ClrMethod? moveNext = machine.Methods.FirstOrDefault(m => m.MetadataToken == token);
        StateMachineAwait? found = state < 0 ? null : module.StateMachineOf(facts, moveNext).All.FirstOrDefault(a => a.State == state);
        return new StateMachinePoint
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
            _impossible[(machine, state)] = known = module.StateMachineOf(facts, moveNext).States?.Contains(state) == false;
        return known;
    }
}
