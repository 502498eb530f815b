namespace Async2.Analysis.Model.Frames;

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
