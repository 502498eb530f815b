
namespace Async2.Dump.Agents;

/// <summary>All tools of the server, in the order in which an agent needs them.</summary>
internal static class AgentTools
{
    /// <summary>Those that the person allows.</summary>
    public static IEnumerable<AgentTool> For(AgentOptions options) =>
        [new ListProcessesTool(), new AnalyzeTool(), new FindingsTool(), new ExplainTool(), new StackTool(), new QueryTool(), new DiffTool(), new SnapshotTool(), .. options.Locals ? (AgentTool[])[new LocalsTool()] : []];
}
