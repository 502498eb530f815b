namespace Async2.Analysis.Model;

/// <summary>
/// Something that could not be read or decided, as a value: it is part of the answer instead of being logged or thrown.
/// Every output counts its problems; none is dropped.
/// </summary>
/// <param name="Code">Stable id of the kind of problem, one of <see cref="ProblemCodes"/>.</param>
/// <param name="Text">One sentence for people; names the fix if there is one.</param>
/// <param name="Address">Address in the target, if the problem has one.</param>
public sealed record Problem(string Code, string Text, ulong? Address = null);
