using Async2.Analysis.Model;

namespace Async2.Analysis.Analyses.Contract;

/// <summary>A rule: what it finds in a model. Pure; it reads nothing but the model, and says nothing that the model does not prove or make likely.</summary>
internal interface IAnalysis
{
    /// <summary>Id of the rule; docs/findings has a page of this name.</summary>
    string Rule { get; }

    /// <summary>What it finds, in an order that does not depend on addresses.</summary>
    IEnumerable<Finding> Find(AnalysisInput input);
}
