using Async2.Analysis.Watching;

namespace Async2.Dump.Watching;

/// <summary>Where <c>watch</c> shows what it sees: a screen, or lines.</summary>
internal interface IWatchView : IDisposable
{
    /// <summary>Shows a look.</summary>
    /// <param name="look">The look.</param>
    /// <param name="snapshot">The same as the bytes of a snapshot file.</param>
    /// <param name="interval">Until the next one.</param>
    /// <param name="late">How much later than planned it was taken, because all processors were busy; zero if it was not.</param>
    void Show(WatchLook look, byte[] snapshot, TimeSpan interval, TimeSpan late);

    /// <summary>The next look waits, because all processors are busy; told again and again.</summary>
    void Wait();

    /// <summary>The process has ended: there is no look any more.</summary>
    /// <param name="text">Says so.</param>
    void End(string text) => Say(text);

    /// <summary>Says something that happened.</summary>
    /// <param name="text">One sentence; may have text from the target in it.</param>
    void Say(string text);
}
