using System.IO.Pipes;
using Microsoft.VisualStudio.TestPlatform.ObjectModel.DataCollection;
using Microsoft.VisualStudio.TestPlatform.ObjectModel.DataCollector.InProcDataCollector;
using Microsoft.VisualStudio.TestPlatform.ObjectModel.InProcDataCollector;

namespace Async2.Testing;

/// <summary>
/// The part in the test host, which tells <see cref="HangCollector"/> by a pipe which tests begin and end. VSTest's own way asks each collector's process, and waits for its answer,
/// before and after each test: some milliseconds for each.
/// </summary>
public sealed class HangFeed : InProcDataCollection
{
    private static readonly TimeSpan ConnectLimit = TimeSpan.FromSeconds(10);

    private readonly object _gate = new();
    private StreamWriter? _feed;

    /// <inheritdoc/>
    public void Initialize(IDataCollectionSink dataCollectionSink)
    {
        // Results are not given anything.
    }

    /// <inheritdoc/>
    public void TestSessionStart(TestSessionStartArgs testSessionStartArgs)
    {
        if (Environment.GetEnvironmentVariable(TestFeed.PipeVariable) is not { Length: > 0 } name)
            return;
        var pipe = new NamedPipeClientStream(".", name, PipeDirection.Out, PipeOptions.CurrentUserOnly);
        try
        {
            pipe.Connect((int)ConnectLimit.TotalMilliseconds);
            _feed = new StreamWriter(pipe) { AutoFlush = true };
        }
        catch (Exception e) when (e is IOException or TimeoutException or UnauthorizedAccessException)
        {
            // The collector says that nothing has come.
            pipe.Dispose();
        }
    }

    /// <inheritdoc/>
    public void TestCaseStart(TestCaseStartArgs testCaseStartArgs)
    {
        if (testCaseStartArgs?.TestCase is { } test)
            Tell(TestFeed.Begin(test.Id.ToString(), test.FullyQualifiedName));
    }

    /// <inheritdoc/>
    public void TestCaseEnd(TestCaseEndArgs testCaseEndArgs)
    {
        if (testCaseEndArgs?.DataCollectionContext?.TestCase is { } test)
            Tell(TestFeed.End(test.Id.ToString()));
    }

    /// <inheritdoc/>
    public void TestSessionEnd(TestSessionEndArgs testSessionEndArgs)
    {
        lock (_gate)
        {
            _feed?.Dispose();
            _feed = null;
        }
    }

    // Tests that run side by side tell it at once.
    private void Tell(string line)
    {
        lock (_gate)
        {
            try
            {
                _feed?.WriteLine(line);
            }
            catch (IOException)
            {
                // The collector has ended: nobody watches any more.
                _feed = null;
            }
        }
    }
}
