namespace Async2.Analysis.Model.Frames;

/// <summary>Author of a frame's code, which determines whether it is shown.</summary>
public enum FrameOrigin
{
    /// <summary>The user: always shown.</summary>
    User,

    /// <summary>.NET or one of its libraries: folded, and counted.</summary>
    Framework,

    /// <summary>A step of the runtime within an await, such as a thunk: left out.</summary>
    Runtime,
}
