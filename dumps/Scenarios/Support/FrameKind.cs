namespace Scenarios.Support;

/// <summary>Frames that are state machines in both builds, because the compiler has no runtime-async form of them.</summary>
public static class FrameKind
{
    /// <summary>An IAsyncEnumerable iterator.</summary>
    public const string Iterator = "iterator";

    /// <summary>An async void method.</summary>
    public const string AsyncVoid = "asyncVoid";

    /// <summary>A method that was opted out, by attribute or by a builder of its own.</summary>
    public const string Classic = "classic";
}
