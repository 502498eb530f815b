using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Watching;
using Async2.Dump.Watching;

namespace Async2.Dump.Fleets;

/// <summary>Shows what another view shows, and sends it to a collector.</summary>
/// <param name="inner">Shows it.</param>
/// <param name="sender">Sends it.</param>
/// <param name="address">Where to, as it was given.</param>
/// <param name="withHost">The names of host and container may be told.</param>
internal sealed class OtlpView(IWatchView inner, OtlpSender sender, Uri address, bool withHost) : IWatchView
{
    private readonly OtlpExport _export = new(sender, withHost);
    private string? _said;

    /// <inheritdoc/>
    public void Show(WatchLook look, byte[] snapshot, TimeSpan interval, TimeSpan late)
    {
        inner.Show(look, snapshot, interval, late);
        _export.Take(look);
        SayFailure();
    }

    /// <inheritdoc/>
    public void Wait() => inner.Wait();

    /// <inheritdoc/>
    public void Say(string text)
    {
        inner.Say(text);
        _export.Note(text, DateTimeOffset.UtcNow);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        sender.Dispose();
        SayFailure();
        if (sender.Dropped > 0)
            inner.Say($"{DisplayText.Count(sender.Dropped, "event")} could not be sent and were dropped");
        inner.Dispose();
    }

    // Once, not with each look.
    private void SayFailure()
    {
        string? failure = sender.Failure;
        if (failure is not null && failure != _said)
            inner.Say($"could not send to {address.GetLeftPart(UriPartial.Path)}: {failure}");
        else if (failure is null && _said is not null)
            inner.Say($"sends to {address.GetLeftPart(UriPartial.Path)} again");
        _said = failure;
    }
}
