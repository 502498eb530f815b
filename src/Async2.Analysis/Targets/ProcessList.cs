namespace Async2.Analysis.Targets;

/// <summary>placeholder until the branch of the tool lands</summary>
internal static class ProcessList
{
    public static IReadOnlyList<(int Pid, string Name)> FindByName(string name) { _ = name; return []; }
}
