using Async2.Analysis.Analyses.Cycles;
using Async2.Analysis.Model;

namespace Async2.Analysis.Analyses.Contract;

/// <summary>What a rule is given: the model, and what several rules need of it, made when one first asks.</summary>
/// <param name="model">The whole model, before any filter.</param>
/// <param name="found">What the rules before this one have found.</param>
internal sealed class AnalysisInput(AsyncModel model, IReadOnlyList<Finding> found)
{
    private StuckNodes? _stuck;
    private IReadOnlyList<WaitCycle>? _cycles;

    public AsyncModel Model { get; } = model;

    /// <summary>What the rules before this one have found, so that nothing is said twice.</summary>
    public IReadOnlyList<Finding> Found { get; } = found;

    /// <summary>Names of nodes for sentences.</summary>
    public NodeText Names { get; } = new(model);

    /// <summary>Nodes that can never go on.</summary>
    public StuckNodes Stuck => _stuck ??= new(Model);

    /// <summary>Cycles of waits among them.</summary>
    public IReadOnlyList<WaitCycle> Cycles => _cycles ??= [.. WaitCycle.In(Model, Stuck)];
}
