using System.Globalization;
using Microsoft.VisualStudio.TestPlatform.ObjectModel.DataCollection;
using Microsoft.VisualStudio.TestPlatform.ObjectModel.DataCollector.InProcDataCollector;
using Microsoft.VisualStudio.TestPlatform.ObjectModel.InProcDataCollector;

namespace Async2.Testing;

/// <summary>
/// Watches over the tests of a run from within VSTest's test host, so that no test waits for another process (see <see cref="HangCollector"/>, which has to). When a test takes too long, the tool reads
/// this process, and what it says goes to the console. Nothing is ended. What runs in the host can attach no files: they are in the folder of the results.
/// </summary>
public sealed class HangWatch : InProcDataCollection, IDisposable
{
    private readonly ConsoleRunner _runner = ConsoleRunner.OfRun();
    private TestWatch? _watch;
    private CollectorSettings? _settings;

    /// <inheritdoc/>
    public void Initialize(IDataCollectionSink dataCollectionSink)
    {
    }

    /// <inheritdoc/>
    public void TestSessionStart(TestSessionStartArgs testSessionStartArgs)
    {
        ArgumentNullException.ThrowIfNull(testSessionStartArgs);
        // A host may run several assemblies.
        Dispose();
        CollectorSettings settings = _settings = CollectorSettings.Of(testSessionStartArgs.Configuration, _runner);
        if (settings.Wrong is { } wrong)
            Show([wrong]);
        _watch = new(settings.Limit, Report);
        _watch.Start();
    }

    /// <inheritdoc/>
    public void TestCaseStart(TestCaseStartArgs testCaseStartArgs)
    {
        ArgumentNullException.ThrowIfNull(testCaseStartArgs);
        if (testCaseStartArgs.TestCase is { } test)
            _watch?.Begin(test.Id.ToString(), test.FullyQualifiedName);
    }

    /// <inheritdoc/>
    public void TestCaseEnd(TestCaseEndArgs testCaseEndArgs)
    {
        ArgumentNullException.ThrowIfNull(testCaseEndArgs);
        if (testCaseEndArgs.DataCollectionContext?.TestCase is { } test)
            _watch?.End(test.Id.ToString());
    }

    /// <inheritdoc/>
    public void TestSessionEnd(TestSessionEndArgs testSessionEndArgs) => Dispose();

    /// <inheritdoc/>
    public void Dispose() => _watch?.Dispose();

    private void Report(HungTests hung)
    {
        var said = new List<string>();
        Ptracer.Allow(Environment.ProcessId);
        _ = new HangTool(_settings?.Tool) { Lines = said.Add }.Run(Environment.ProcessId, hung, _runner.ResultsFolder);
        Ptracer.Allow(Ptracer.Nobody);
        Show(said);
    }

    // What a host prints, VSTest keeps for itself.
    private void Show(IReadOnlyList<string> lines)
    {
        try
        {
            using FileStream? console = RunnerOutput.Open();
            using Stream output = console ?? (Stream)File.Create(TextFile());
            using var writer = new StreamWriter(output);
            foreach (string line in lines)
                writer.WriteLine(line);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Nobody reads it any more, or there is no room for it.
        }
    }

    private string TextFile()
        => Path.Join(Directory.CreateDirectory(_runner.ResultsFolder).FullName, string.Create(CultureInfo.InvariantCulture, $"async2-hang-{Environment.ProcessId}-{DateTime.UtcNow:HHmmssfff}.txt"));
}
