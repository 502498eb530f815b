using System.Globalization;
using System.Xml;
using Microsoft.VisualStudio.TestPlatform.ObjectModel.DataCollection;

namespace Async2.Testing;

/// <summary>
/// Watches over the tests of a run from the process of VSTest's data collectors. When a test takes too long, the tool reads the test host, and what it says goes to the
/// console and with the results. Nothing is ended. Each test waits twice for this process: <see cref="HangWatch"/> costs less.
/// </summary>
[DataCollectorFriendlyName("async2")]
[DataCollectorTypeUri("datacollector://async2/hang/1.0")]
public sealed class HangCollector : DataCollector, ITestExecutionEnvironmentSpecifier
{
    private TestWatch? _watch;
    private DataCollectionLogger? _logger;
    private DataCollectionSink? _sink;
    private DataCollectionContext? _session;
    private string? _tool;
    private int _host;

    /// <inheritdoc/>
    public override void Initialize(
        XmlElement? configurationElement, DataCollectionEvents events, DataCollectionSink dataSink, DataCollectionLogger logger, DataCollectionEnvironmentContext? environmentContext)
    {
        ArgumentNullException.ThrowIfNull(events);
        (_logger, _sink, _session) = (logger, dataSink, environmentContext?.SessionDataCollectionContext);
        CollectorSettings settings = CollectorSettings.Of(configurationElement, ConsoleRunner.OfRun());
        _tool = settings.Tool;
        if (settings.Wrong is { } wrong)
            Warn(wrong);
        TestWatch watch = _watch = new(settings.Limit, Report);
        events.TestHostLaunched += (_, launched) =>
        {
            if (Interlocked.Exchange(ref _host, launched.TestHostProcessId) == 0)
                watch.Start();
        };
        events.TestCaseStart += (_, start) => watch.Begin(start.TestCaseId.ToString(), start.TestElement?.FullyQualifiedName ?? start.TestCaseName ?? "");
        events.TestCaseEnd += (_, end) => watch.End(end.TestCaseId.ToString());
        events.SessionEnd += (_, _) => watch.Dispose();
    }

    /// <summary>What the test host gets: where it is needed, a hook that lets this process read it.</summary>
    public IEnumerable<KeyValuePair<string, string>> GetTestExecutionEnvironmentVariables()
        => HostHook.Variables(Environment.ProcessId, Environment.GetEnvironmentVariable(HostHook.Hooks));

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        _watch?.Dispose();
        base.Dispose(disposing);
    }

    private void Report(HungTests hung)
    {
        string folder = Directory.CreateTempSubdirectory("async2-hang-").FullName, saved = "saved " + folder + Path.DirectorySeparatorChar;
        var said = new List<string>();
        // They are moved to the results.
        string[] files = new HangTool(_tool) { Lines = line => said.Add(line.StartsWith(saved, StringComparison.Ordinal) ? "attached " + line[saved.Length..] : line) }.Run(_host, hung, folder) ?? [];
        // Messages of collectors are shown when the run has ended, which this one may never do: it shares the output of the console runner.
        Console.Out.WriteLine(string.Join(Environment.NewLine, said));
        Console.Out.Flush();
        Warn(string.Create(CultureInfo.InvariantCulture, $"async2: {(hung.Names.Count == 0 ? "no test was in progress" : string.Join(", ", hung.Names))} for {HangTime.TextOf(hung.For)}; what it waited for is shown above, and in the files that are attached"));
        if (_session is null)
            return;
        foreach (string file in files)
            _sink!.SendFileAsync(_session, file, "async stacks of a hang", deleteFile: true);
    }

    private void Warn(string text)
    {
        if (_session is not null)
            _logger!.LogWarning(_session, text);
    }
}
