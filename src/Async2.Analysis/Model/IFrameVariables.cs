using System.Collections.Immutable;
using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Model;

/// <summary>Reads variables of a model's frames: the only access to the target, while it is open.</summary>
internal interface IFrameVariables
{
    /// <summary>Arguments and locals of an object's frame; empty if it has none or they cannot be read.</summary>
    /// <param name="place">Number of the frame's place.</param>
    /// <param name="address">Address of its object.</param>
    ImmutableArray<LocalValue> LocalsOf(int place, ulong address);
}
