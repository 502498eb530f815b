using Async2.Analysis.Model.Labels;

namespace Async2.Dump.Agents;

/// <summary>What the person who starts the server allows the agent. Nothing is allowed that is not named here.</summary>
internal sealed record AgentOptions
{
    /// <summary>Process ids, names of programs, or <c>*</c> for all that the user may read.</summary>
    public IReadOnlyList<string> Processes { get; init; } = [];

    /// <summary>Folders whose dumps and snapshots may be read, and into which snapshots may be written.</summary>
    public IReadOnlyList<string> Folders { get; init; } = [];

    /// <summary>Arguments and locals may be read.</summary>
    public bool Locals { get; init; }

    /// <summary>Data of people in labels and waits.</summary>
    public ShownValues Values { get; init; } = ShownValues.Masked;

    /// <summary>The most tokens of an answer, unless the agent asks for another number.</summary>
    public int MaxTokens { get; init; } = TokenBudget.Usual;
}
