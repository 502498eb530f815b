using Async2.Analysis.Watching;

namespace Async2.Dump.Watching;

/// <summary>Where <c>watch</c> shows what it sees: a screen, or lines.</summary>
internal interface IWatchView : IDisposable
{
    /// <summary>Shows a look.</summary>
    /// <param name="look">The look.</param>
    /// <param name="snapshot">The same as the bytes of a snapshot file.</param>
    /// <param name="interval">Until the next one.</param>
    void Show(WatchLook look, byte[] snapshot, TimeSpan interval);

    /// <summary>Says something that happened.</summary>
    /// <param name="text">One sentence; may have text from the target in it.</param>
    void Say(string text);
}
