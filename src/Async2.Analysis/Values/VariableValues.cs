using Async2.Analysis.Code.Modules;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Values;

/// <summary>All that reads values, made once for both kinds of async methods: the search for value types is theirs together.</summary>
internal sealed class VariableValues
{
    /// <param name="target">The target.</param>
    /// <param name="modules">Its modules.</param>
    /// <param name="keepsParts">Somebody will look into the values.</param>
    public VariableValues(Target target, LoadedModules modules, bool keepsParts = false)
    {
        Index = new ValueTypeIndex(target);
        Types = new TypeResolver(modules, Index);
        Reader = new ValueReader(target, Types, keepsParts ? new PartsFinder(target, Types) : null);
        Captured = new CapturedVariables(Types, Reader);
    }

    public ValueTypeIndex Index { get; }

    public TypeResolver Types { get; }

    public ValueReader Reader { get; }

    public CapturedVariables Captured { get; }
}
