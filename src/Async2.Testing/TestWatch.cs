using System.Diagnostics;

namespace Async2.Testing;

/// <summary>
/// Watches over the tests of a run, and says which take too long. It has a thread of its own: a test that blocks the whole thread pool is one of those that it is for. Until
/// something is late that thread sleeps.
/// </summary>
internal sealed class TestWatch : IDisposable
{
    private static readonly TimeSpan ShortestLook = TimeSpan.FromMilliseconds(50), LongestLook = TimeSpan.FromSeconds(1);

    private readonly TimeSpan _limit;
    private readonly RunningTests _tests;
    private readonly Action<HungTests> _report;
    private readonly long _start = Stopwatch.GetTimestamp();
    private readonly ManualResetEventSlim _over = new();
    private int _started;

    /// <param name="limit">How long a test may take.</param>
    /// <param name="report">Called on the watch's thread.</param>
    public TestWatch(TimeSpan limit, Action<HungTests> report) => (_limit, _tests, _report) = (limit, new(limit), report);

    private TimeSpan Now => Stopwatch.GetElapsedTime(_start);

    /// <summary>Begins; a second call does nothing.</summary>
    public void Start()
    {
        if (Interlocked.Exchange(ref _started, 1) == 0)
            new Thread(Watch) { IsBackground = true, Name = "async2 hang watch" }.Start();
    }

    /// <summary>A test begins.</summary>
    public void Begin(string id, string name) => _tests.Begin(id, name, Now);

    /// <summary>A test ends.</summary>
    public void End(string id) => _tests.End(id, Now);

    /// <summary>The run is over.</summary>
    public void Dispose() => _over.Set();

    private void Watch()
    {
        TimeSpan look = _limit / 20;
        look = look < ShortestLook ? ShortestLook : look > LongestLook ? LongestLook : look;
        while (!_over.Wait(look))
        {
            if (_tests.Overdue(Now) is { } hung)
                _report(hung);
        }
    }
}
