namespace Async2.Analysis.Stacks.Frames;

/// <summary>One node's share of a stack, before it is turned into frames.</summary>
/// <param name="Node">The node.</param>
/// <param name="Skip">So many of its innermost frames have returned, or are on the thread.</param>
/// <param name="IsAwaiting">Chain: it is known to wait, so that even its innermost frame has a callee that may be elided.</param>
/// <param name="RunsInHead">Chain: the innermost frame executes now: its saved await is past.</param>
/// <param name="Note">Number (<see cref="FrameExpander.NumberOf"/>) of how its innermost frame waits for the part before; -1 for nothing to say.</param>
internal readonly record struct StackPart(int Node, int Skip = 0, bool IsAwaiting = false, bool RunsInHead = false, int Note = -1);
