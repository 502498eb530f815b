using System.Collections.Immutable;
using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Model;

/// <summary>Answers for variables of a model's frames: the only way back to the target, while it is open.</summary>
internal interface IFrameVariables
{
    /// <summary>Arguments and locals of the frame of an object; empty when it has none or they cannot be read.</summary>
    /// <param name="place">Number of the frame's place.</param>
    /// <param name="address">Address of its object.</param>
    ImmutableArray<LocalValue> LocalsOf(int place, ulong address);
}
