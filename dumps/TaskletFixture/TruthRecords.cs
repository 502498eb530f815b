extern alias experiment;
using Scenarios.Support;
using Owner = experiment::System.Runtime.CompilerServices.RuntimeHelpers.RuntimeAsyncMaintainedData;

namespace TaskletFixture;

/// <param name="Kind">Of a frame that is no tasklet: <c>classic</c>, <c>thread</c>.</param>
internal sealed record FrameTruth(string Method, string File, int Line, string? Kind, IReadOnlyList<LocalTruth>? Locals);

/// <summary>What a reader must find wrong.</summary>
/// <param name="Rule">Must be named.</param>
/// <param name="Stack">Name of the stack with the tasklet; null when no stack suffers.</param>
/// <param name="Frame">Which of its frames, innermost first; what is inside of it must be shown in any case.</param>
internal sealed record DamageTruth(string Kind, string Rule, string? Stack, int Frame);

/// <summary>What the program's own check of all tasklets found.</summary>
/// <param name="Tasklets">Good ones that owners lead to.</param>
/// <param name="Listed">Tasklets in the live list.</param>
internal sealed record CheckTruth(long Tasklets, long Listed);

/// <summary>One logical stack that a user must see.</summary>
public sealed class StackTruth
{
    /// <summary>Unique in its situation.</summary>
    public required string Name { get; init; }

    /// <summary>In the words of the tool; null where nothing is claimed.</summary>
    public string? State { get; set; } = "awaiting";

    /// <summary>What the innermost frame awaits, in a user's words.</summary>
    public string? Leaf { get; set; }

    /// <summary>Stacks that await this one and are shown on their own.</summary>
    public List<string> AwaitedBy { get; } = [];

    public string? Note { get; set; }

    /// <summary>How many stacks look the same.</summary>
    public int Count { get; set; } = 1;

    /// <summary>The outermost position.</summary>
    internal Trail Root { get; set; } = null!;

    internal TaskCompletionSource<int> Gate { get; set; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Of its tasklets; of several sets of them the one that was suspended last.</summary>
    internal Owner? Owner { get; set; }
}
