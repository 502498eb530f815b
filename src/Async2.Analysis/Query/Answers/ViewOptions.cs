using Async2.Analysis.Model;

namespace Async2.Analysis.Query.Answers;

/// <summary>How the stacks of an answer are shown.</summary>
internal sealed record ViewOptions
{
    /// <summary>Stacks with the same frames become one with a count.</summary>
    public bool Coalesce { get; init; } = true;

    /// <summary>Frames of frameworks and of the runtime are shown.</summary>
    public bool IncludeFramework { get; init; }

    /// <summary>Stacks of pending tasks without an async method are shown, where they were read.</summary>
    public bool PlainTasks { get; init; }

    /// <summary>Completed tasks of async methods are shown, with <see cref="PlainTasks"/> any, where they were read.</summary>
    public bool Completed { get; init; }

    /// <summary>Answers for variables of the frames that are shown; null when nobody wants them.</summary>
    public IFrameVariables? Variables { get; init; }
}
