using System.Globalization;
using System.Text.Json;
using Async2.Analysis.Targets.Contract;
using Async2.Dump.Dap.Protocol;

namespace Async2.Dump.Dap.Session;

/// <summary>Reports the progress of reading a target to a client, if the client supports it.</summary>
internal sealed class DapProgress : IProgress<AnalysisProgress>, IDisposable
{
    private const string Prefix = "read-";

    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(100);

    private readonly DapConnection? _client;
    private readonly string _id;
    private string _phase = "";
    private long _lastReport;

    /// <summary>Starts a progress report.</summary>
    /// <param name="client">The client; null for no reports.</param>
    /// <param name="request">Id of the request, by which it can be cancelled.</param>
    /// <param name="title">What is done.</param>
    public DapProgress(DapConnection? client, int request, string title)
    {
        _client = client;
        _id = Prefix + request.ToString(CultureInfo.InvariantCulture);
        client?.Event("progressStart", writer =>
        {
            writer.WriteString("progressId", _id);
            writer.WriteString("title", title);
            writer.WriteNumber("requestId", request);
            writer.WriteBoolean("cancellable", true);
        });
    }

    /// <summary>Id of the request that a progress id stands for; null if it is not one of ours.</summary>
    public static int? RequestOf(string progressId)
        => progressId.StartsWith(Prefix, StringComparison.Ordinal) && int.TryParse(progressId.AsSpan(Prefix.Length), NumberStyles.None, CultureInfo.InvariantCulture, out int seq) ? seq : null;

    /// <inheritdoc/>
    public void Report(AnalysisProgress value)
    {
        if (_client is null || (value.Phase == _phase && TimeProvider.System.GetElapsedTime(_lastReport) < Interval))
            return;
        (_phase, _lastReport) = (value.Phase, TimeProvider.System.GetTimestamp());
        _client.Event("progressUpdate", writer => Write(writer, value));
    }

    /// <inheritdoc/>
    public void Dispose() => _client?.Event("progressEnd", writer => writer.WriteString("progressId", _id));

    private void Write(Utf8JsonWriter writer, AnalysisProgress value)
    {
        writer.WriteString("progressId", _id);
        string objects = value.Objects is { } count ? string.Create(CultureInfo.InvariantCulture, $", {count:N0} objects") : "";
        writer.WriteString("message", value.Phase + objects);
        if (value.Fraction is { } fraction)
            writer.WriteNumber("percentage", Math.Round(Math.Clamp(fraction, 0, 1) * 100));
    }
}
