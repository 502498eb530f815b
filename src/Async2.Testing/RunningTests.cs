namespace Async2.Testing;

/// <summary>
/// Which tests are in progress, since when, and which of them have just become too long. Each is named once, and a run in which nothing is in progress and nothing
/// happens (a fixture that does not end) once, too: a run that hangs is not to fill a log.
/// </summary>
/// <param name="limit">How long a test may take.</param>
internal sealed class RunningTests(TimeSpan limit)
{
    /// <summary>The most reports of one run.</summary>
    public const int MostReports = 5;

    // Tests that began together are one report, although they do not get late in the same moment.
    private const double Almost = 0.9;

    private readonly object _gate = new();
    private readonly Dictionary<string, Running> _running = [];
    private readonly HashSet<string> _named = [];
    private TimeSpan _lastChange;
    private bool _isQuietNamed;
    private int _reports;

    /// <summary>A test begins. Named again, it goes on.</summary>
    public void Begin(string id, string name, TimeSpan now)
    {
        lock (_gate)
        {
            _running.TryAdd(id, new(name, now));
            Changed(now);
        }
    }

    /// <summary>A test ends.</summary>
    public void End(string id, TimeSpan now)
    {
        lock (_gate)
        {
            _running.Remove(id);
            Changed(now);
        }
    }

    /// <summary>What has become too long since the last question; null for nothing.</summary>
    public HungTests? Overdue(TimeSpan now)
    {
        lock (_gate)
        {
            if (_reports >= MostReports)
                return null;
            if (_running.Count == 0)
                return Quiet(now);
            if (!_running.Any(test => now - test.Value.Since >= limit && !_named.Contains(test.Key)))
                return null;
            KeyValuePair<string, Running>[] late = [.. _running.Where(test => now - test.Value.Since >= limit * Almost).OrderBy(test => test.Value.Since)];
            _named.UnionWith(late.Select(test => test.Key));
            _reports++;
            return new([.. late.Select(test => test.Value.Name)], now - late[0].Value.Since);
        }
    }

    private HungTests? Quiet(TimeSpan now)
    {
        if (_isQuietNamed || now - _lastChange < limit)
            return null;
        _isQuietNamed = true;
        _reports++;
        return new([], now - _lastChange);
    }

    private void Changed(TimeSpan now) => (_lastChange, _isQuietNamed) = (now, false);

    private readonly record struct Running(string Name, TimeSpan Since);
}

/// <summary>Tests that take too long.</summary>
/// <param name="Names">Longest first; none if none is in progress.</param>
/// <param name="For">How long the longest has taken, or nothing has happened.</param>
internal sealed record HungTests(IReadOnlyList<string> Names, TimeSpan For);
