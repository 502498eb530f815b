namespace Async2.Analysis.Query;

/// <summary>Which stacks come first in an answer.</summary>
public enum StackSorting
{
    /// <summary>The largest groups, as without this.</summary>
    Count,

    /// <summary>Those that have provably waited longest; in a group the oldest stack is the one that is shown.</summary>
    Age,
}
