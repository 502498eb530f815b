using Async2.Analysis.Watching;
using Async2.Dump.Watching;

namespace Async2.Dump.Fleets;

/// <summary>Shows what another view shows, and sends it to a collector.</summary>
/// <param name="inner">Shows it.</param>
/// <param name="export">Sends it.</param>
/// <param name="news">Says how that goes.</param>
internal sealed class OtlpView(IWatchView inner, OtlpExport export, OtlpNews news) : IWatchView
{
    /// <inheritdoc/>
    public void Show(WatchLook look, byte[] snapshot, TimeSpan interval, TimeSpan late)
    {
        inner.Show(look, snapshot, interval, late);
        export.Take(look);
        SayAll(news.Next());
    }

    /// <inheritdoc/>
    public void Wait() => inner.Wait();

    /// <inheritdoc/>
    public void End(string text)
    {
        Say(text);
        export.End(DateTimeOffset.UtcNow);
    }

    /// <inheritdoc/>
    public void Say(string text)
    {
        inner.Say(text);
        export.Note(text, DateTimeOffset.UtcNow);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        SayAll(news.End());
        inner.Dispose();
    }

    private void SayAll(IEnumerable<string> sentences)
    {
        foreach (string sentence in sentences)
            inner.Say(sentence);
    }
}
