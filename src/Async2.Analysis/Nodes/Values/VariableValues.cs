using Async2.Analysis.Code;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Nodes.Values;

/// <summary>All that reads values, made once for both kinds of async methods: the search for value types is theirs together.</summary>
internal sealed class VariableValues
{
    public VariableValues(Target target, LoadedModules modules)
    {
        Index = new ValueTypeIndex(target);
        Types = new TypeResolver(modules, Index);
        Reader = new ValueReader(target, Types);
        Captured = new CapturedVariables(Types, Reader);
    }

    public ValueTypeIndex Index { get; }

    public TypeResolver Types { get; }

    public ValueReader Reader { get; }

    public CapturedVariables Captured { get; }
}
