using Async2.Analysis.Rendering.Text;

namespace Async2.Dump.Fleets;

/// <summary>What a user has to know of what is sent: that it fails, that it works again, that something was refused. Once each, not with each look.</summary>
/// <param name="sender">Sends it.</param>
/// <param name="address">Where to, as it was given.</param>
internal sealed class OtlpNews(OtlpSender sender, Uri address)
{
    private string? _failure, _refusal;
    private bool _isOver;

    private string Place => address.GetLeftPart(UriPartial.Path).TrimEnd('/');

    /// <summary>What is new since it was asked last.</summary>
    public IEnumerable<string> Next()
    {
        (string? failure, string? refusal) = (sender.Failure, sender.Refusal);
        if (failure is not null && failure != _failure)
            yield return $"could not send to {Place}: {failure}";
        else if (failure is null && _failure is not null)
            yield return $"sends to {Place} again";
        if (refusal is not null && refusal != _refusal)
            yield return $"{Place} refused something: {refusal}";
        (_failure, _refusal) = (failure, refusal);
    }

    /// <summary>Sends what waits, and says what is to be said then.</summary>
    public IEnumerable<string> End()
    {
        sender.Dispose();
        if (_isOver)
            yield break;
        _isOver = true;
        foreach (string sentence in Next())
            yield return sentence;
        if (sender.Dropped > 0)
            yield return $"{DisplayText.Count(sender.Dropped, "event")} could not be sent and {(sender.Dropped == 1 ? "was" : "were")} dropped";
        if (sender.Refused > 0)
            yield return $"{DisplayText.Count(sender.Refused, "event or number", "events and numbers")} of what was sent {(sender.Refused == 1 ? "was" : "were")} refused";
    }
}
