namespace Async2.Analysis.Query;

/// <summary>What the stacks of one section have in common.</summary>
public enum StackGrouping
{
    /// <summary>The innermost method of the user.</summary>
    Method,

    /// <summary>What they wait for.</summary>
    WaitingOn,

    /// <summary>Their state.</summary>
    State,

    /// <summary>The module of the innermost method of the user.</summary>
    Module,

    /// <summary>The innermost frame with its line.</summary>
    Leaf,
}
