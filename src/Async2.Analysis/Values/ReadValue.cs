using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Values;

/// <summary>A value that was read.</summary>
/// <param name="Text">In C# form.</param>
/// <param name="Type">The type that it really has.</param>
/// <param name="Parts">What it is made of; null when nobody wants to know, or when it is not made of anything.</param>
internal readonly record struct ReadValue(string Text, string Type, ValueParts? Parts = null)
{
    /// <summary>It as the value of a variable.</summary>
    public LocalValue Of(string name) => new(name, Type, Text) { Parts = Parts };
}
