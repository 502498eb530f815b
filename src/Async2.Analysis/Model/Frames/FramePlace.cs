namespace Async2.Analysis.Model.Frames;

/// <summary>A distinct frame of a model: one method at one place. Stacks are sequences of the numbers of places.</summary>
/// <param name="Frame">What is shown of it, without the address of an object.</param>
/// <param name="Origin">Who wrote it, which decides whether it is shown.</param>
/// <param name="Same">The first place that looks the same; two native bodies of one method have a place each.</param>
public sealed record FramePlace(LogicalFrame Frame, FrameOrigin Origin, int Same);

/// <summary>Who wrote the code of a frame, which decides whether it is shown.</summary>
public enum FrameOrigin
{
    /// <summary>The user: always shown.</summary>
    User,

    /// <summary>.NET or one of its libraries: folded, and counted.</summary>
    Framework,

    /// <summary>A step of the runtime on the way of an await, such as a thunk: left out.</summary>
    Runtime,
}
