namespace Async2.Analysis.Layouts.Descriptions;

/// <summary>Which parts of a description concern async code: a runtime's own descriptor has a hundred types that do not.</summary>
internal static class AsyncLayoutParts
{
    public const string Tasklets = "Async2Tasklets";
    public const string Continuations = "Async2Continuations";

    /// <summary>The runtime's own contract: in which format the JIT's debug info is.</summary>
    public const string DebugInfo = "DebugInfo";

    public const string Tasklet = "Tasklet";
    public const string StackDataInfo = "TaskletStackDataInfo";
    public const string RegRestore = "TaskletRegRestore";
    public const string Continuation = "ContinuationObject";
    public const string ResumeInfo = "AsyncResumeInfo";

    /// <summary>Global of a runtime's descriptor that leads to another one, with what is told here.</summary>
    public const string SubDescriptor = "Async2";

    /// <summary>In the order in which they are shown.</summary>
    public static IReadOnlyList<string> Types { get; } = [Continuation, ResumeInfo, Tasklet, StackDataInfo, RegRestore];

    public static bool IsType(string name) => Types.Contains(name, StringComparer.Ordinal);

    public static bool IsGlobal(string name) => name == SubDescriptor
        || name.StartsWith("Tasklet", StringComparison.Ordinal)
        || name.StartsWith("Continuation", StringComparison.Ordinal);

    public static bool IsContract(string name) => name is Tasklets or Continuations or DebugInfo;

    /// <summary>Whether the bytes of a description can say something about async code: a search, which is cheaper than to parse it.</summary>
    public static bool MayConcernAsync(ReadOnlySpan<byte> json)
        => json.IndexOf("Async2"u8) >= 0 || json.IndexOf("Tasklet"u8) >= 0 || json.IndexOf("ContinuationObject"u8) >= 0 || json.IndexOf("AsyncResumeInfo"u8) >= 0;
}
