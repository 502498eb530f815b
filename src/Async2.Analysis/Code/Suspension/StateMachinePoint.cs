using Async2.Analysis.Code.Modules;
using Async2.Analysis.Metadata.Awaits;
using Async2.Analysis.Metadata.Symbols;

namespace Async2.Analysis.Code.Suspension;

/// <summary>Where a state machine stopped. All machines of a type in the same state share one.</summary>
internal sealed record StateMachinePoint
{
    /// <summary>Null if the type's module or its MoveNext is not known.</summary>
    public ModuleMethod? MoveNext { get; init; }

    /// <summary>The machine's type as the runtime spells it, with type arguments.</summary>
    public string? RuntimeTypeName { get; init; }

    /// <summary>The await; null while it runs, or when the IL does not tell.</summary>
    public StateMachineAwait? Await { get; init; }

    /// <summary>Type of the awaiter that it saved, as the runtime spells it; null if unknown.</summary>
    public string? AwaiterType { get; init; }

    /// <summary>Its code never stores the state that it is in: the memory is damaged.</summary>
    public bool IsImpossible { get; init; }

    public SourceLine? Source { get; init; }

    /// <summary>It is a closure of F#, whose line is that of the statement that made it.</summary>
    public bool IsClosure { get; init; }

    public bool IsFramework => MoveNext?.Module.IsFramework == true;
}
