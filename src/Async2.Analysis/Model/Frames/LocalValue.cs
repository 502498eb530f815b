namespace Async2.Analysis.Model.Frames;

/// <summary>A local variable or an argument of a suspended method, as text. The text comes from the target and is not yet escaped.</summary>
/// <param name="Name">The name in source; <c>this</c> for the instance. Values without a name (the compiler's own) are not included.</param>
/// <param name="Type">C# form of its type, of the object itself if that is known; null if unknown.</param>
/// <param name="Value">
/// C# form: <c>7</c>, <c>"text"</c>, <c>null</c>, <c>DayOfWeek.Monday</c>, <c>(1, "a")</c>; for other objects <c>{0x7f...}</c>.
/// </param>
public sealed record LocalValue(string Name, string? Type, string Value)
{
    /// <summary>
    /// How certain it is that the value belongs to this variable: <see cref="Exactness.Exact"/> by debug info or a field's name,
    /// <see cref="Exactness.Order"/> by the order in which the JIT saves the fields of small structs.
    /// </summary>
    public Exactness Exactness { get; init; } = Exactness.Exact;

    /// <summary>Its parts; null if it cannot be expanded, and in answers that are read at once.</summary>
    public ValueParts? Parts { get; init; }
}
