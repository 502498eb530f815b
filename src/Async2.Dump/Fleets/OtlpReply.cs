using System.Globalization;
using Async2.Dump.Fleets.Wire;
using Google.Protobuf;

namespace Async2.Dump.Fleets;

/// <summary>What a collector says about a request, by the rules of OTLP over HTTP: taken, taken in part, to be sent again, or refused for good.</summary>
/// <param name="MayRepeat">It was not taken, and may be another time.</param>
/// <param name="Refused">How many of its parts were not taken and never will be.</param>
/// <param name="Reason">Why; null if it was taken.</param>
/// <param name="RetryAfter">Not before that.</param>
internal sealed record OtlpReply(bool MayRepeat, long Refused, string? Reason, TimeSpan? RetryAfter)
{
    private const int LongestReason = 300;

    /// <summary>Reads it.</summary>
    /// <param name="answer">As it came.</param>
    /// <param name="parts">How many parts the request had.</param>
    public static OtlpReply Of(HttpAnswer answer, int parts)
    {
        if (answer.Status is >= 200 and <= 299)
        {
            ExportPartialSuccess? some = Read(answer, ExportServiceResponse.Parser)?.PartialSuccess;
            return some is { Rejected: not 0 } or { ErrorMessage.Length: > 0 } ? new(false, Math.Max(0, some.Rejected), Safe(some.ErrorMessage.Length > 0 ? some.ErrorMessage : "it does not say why"), null) : new(false, 0, null, null);
        }
        bool mayRepeat = answer.Status is 408 or 429 or 502 or 503 or 504;
        string words = string.Create(CultureInfo.InvariantCulture, $"it answered {answer.Status} {answer.Reason}").TrimEnd();
        if (Read(answer, Status.Parser)?.Message is { Length: > 0 } message)
            words += ": " + message;
        return new(mayRepeat, mayRepeat ? 0 : parts, Safe(words), answer.RetryAfter);
    }

    private static string Safe(string text) => OtlpText.Safe(text, LongestReason);

    // Proxies answer with pages.
    private static T? Read<T>(HttpAnswer answer, MessageParser<T> parser)
        where T : class, IMessage<T>
    {
        try
        {
            return answer.ContentType?.StartsWith(HttpPost.ContentType, StringComparison.OrdinalIgnoreCase) == true ? parser.ParseFrom(answer.Body.ToArray()) : null;
        }
        catch (InvalidProtocolBufferException)
        {
            return null;
        }
    }
}
