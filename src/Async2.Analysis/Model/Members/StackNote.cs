namespace Async2.Analysis.Model.Members;

/// <summary>What somebody has noted about stacks.</summary>
/// <param name="Key">Key of the stacks, <see cref="LogicalStack.Key"/>: the note is about all that have it.</param>
/// <param name="Text">The note; empty if they are only pinned.</param>
public sealed record StackNote(string Key, string Text);
