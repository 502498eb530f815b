using Async2.Analysis.Model;

namespace Async2.Analysis.Query.Answers;

/// <summary>How the stacks of an answer are shown.</summary>
internal sealed record ViewOptions
{
    /// <summary>Groups stacks with the same frames, with a count.</summary>
    public bool Coalesce { get; init; } = true;

    /// <summary>Shows frames of frameworks and of the runtime.</summary>
    public bool IncludeFramework { get; init; }

    /// <summary>Shows stacks of pending tasks without an async method, if they were read.</summary>
    public bool PlainTasks { get; init; }

    /// <summary>Shows completed tasks of async methods, with <see cref="PlainTasks"/> any, if they were read.</summary>
    public bool Completed { get; init; }

    /// <summary>Reads variables of the shown frames; null if they are not requested.</summary>
    public IFrameVariables? Variables { get; init; }

    /// <summary>Of so many of equal stacks it is told what each has for itself; 0 for none.</summary>
    public int Members { get; init; }
}
