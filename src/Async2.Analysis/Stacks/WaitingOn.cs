namespace Async2.Analysis.Stacks;

/// <summary>What the innermost frame of a stack waits for.</summary>
/// <param name="Kind">Family of the thing waited for.</param>
/// <param name="Text">In words, for a human; at least a type name.</param>
/// <param name="Address">Address of the awaited object.</param>
/// <param name="Type">C# name of the awaited object's type.</param>
/// <param name="Stack">Id of the stack that this one waits for, when that one is printed on its own.</param>
public sealed record WaitingOn(WaitKind Kind, string Text, ulong? Address = null, string? Type = null, string? Stack = null);
