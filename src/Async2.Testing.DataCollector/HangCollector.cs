using System.Diagnostics;
using System.Xml;
using Microsoft.VisualStudio.TestPlatform.ObjectModel.DataCollection;

namespace Async2.Testing;

/// <summary>
/// Watches over the tests of a run from the process of VSTest's data collectors. When a test takes too long, the tool reads the test host, and what it says goes to the
/// console and with the results. Nothing is ended.
/// </summary>
[DataCollectorFriendlyName("async2")]
[DataCollectorTypeUri("datacollector://async2/hang/1.0")]
public sealed class HangCollector : DataCollector
{
    private const string TimeoutVariable = "ASYNC2_HANG_TIMEOUT";
    private static readonly TimeSpan Usual = TimeSpan.FromMinutes(5), ShortestLook = TimeSpan.FromMilliseconds(50), LongestLook = TimeSpan.FromSeconds(1);

    private readonly ManualResetEventSlim _over = new();
    private readonly long _start = Stopwatch.GetTimestamp();
    private RunningTests? _tests;
    private DataCollectionLogger? _logger;
    private DataCollectionSink? _sink;
    private DataCollectionContext? _session;
    private TimeSpan _limit = Usual;
    private string? _tool;
    private int _host;

    private TimeSpan Now => Stopwatch.GetElapsedTime(_start);

    /// <inheritdoc/>
    public override void Initialize(
        XmlElement? configurationElement, DataCollectionEvents events, DataCollectionSink dataSink, DataCollectionLogger logger, DataCollectionEnvironmentContext? environmentContext)
    {
        ArgumentNullException.ThrowIfNull(events);
        (_logger, _sink, _session) = (logger, dataSink, environmentContext?.SessionDataCollectionContext);
        _tool = configurationElement?["Tool"]?.InnerText.Trim();
        string? limit = configurationElement?["HangTimeout"]?.InnerText.Trim() ?? Environment.GetEnvironmentVariable(TimeoutVariable);
        if (limit is not null && HangTime.Parse(limit) is null)
            Warn($"async2: '{limit}' is not a time: give it as 90s, 5m or 1.5h; {HangTime.TextOf(Usual)} is used");
        _limit = (limit is null ? null : HangTime.Parse(limit)) ?? Usual;
        _tests = new(_limit);
        events.TestHostLaunched += (_, launched) => Follow(launched.TestHostProcessId);
        events.TestCaseStart += (_, start) => _tests.Begin(start.TestCaseId.ToString(), start.TestElement?.FullyQualifiedName ?? start.TestCaseName ?? "", Now);
        events.TestCaseEnd += (_, end) => _tests.End(end.TestCaseId.ToString(), Now);
        events.SessionEnd += (_, _) => _over.Set();
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        _over.Set();
        base.Dispose(disposing);
    }

    private void Follow(int host)
    {
        if (Interlocked.Exchange(ref _host, host) == 0)
            new Thread(Watch) { IsBackground = true, Name = "async2 hang watch" }.Start();
    }

    private void Watch()
    {
        TimeSpan look = _limit / 20;
        look = look < ShortestLook ? ShortestLook : look > LongestLook ? LongestLook : look;
        while (!_over.Wait(look))
        {
            if (_tests!.Overdue(Now) is { } hung)
                Report(hung);
        }
    }

    private void Report(HungTests hung)
    {
        string folder = Directory.CreateTempSubdirectory("async2-hang-").FullName;
        var said = new List<string>();
        string[] files = new HangTool(_tool) { Lines = said.Add }.Run(_host, hung, folder) ?? [];
        // Messages of collectors are shown when the run has ended, which this one may never do: it shares the output of the console runner.
        Console.Out.WriteLine(string.Join(Environment.NewLine, said));
        Console.Out.Flush();
        Warn(string.Join(Environment.NewLine, said));
        if (_session is null)
            return;
        foreach (string file in files)
            _sink!.SendFileAsync(_session, file, "async stacks of a hang", deleteFile: true);
    }

    private void Warn(string text)
    {
        if (_session is not null && text.Length > 0)
            _logger!.LogWarning(_session, text);
    }
}
