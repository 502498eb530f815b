namespace Async2.Tests.Support.Drawing;

/// <summary>A clock that is stopped until a test moves it; its timers ring once, in time.</summary>
internal sealed class HandClock : TimeProvider
{
    private readonly List<Alarm> _alarms = [];
    private long _milliseconds;

    public override long TimestampFrequency => 1000;

    public override long GetTimestamp() => _milliseconds;

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var alarm = new Alarm(_milliseconds + (long)dueTime.TotalMilliseconds, () => callback(state));
        _alarms.Add(alarm);
        return alarm;
    }

    public void Advance(long milliseconds)
    {
        _milliseconds += milliseconds;
        foreach (Alarm alarm in _alarms)
            alarm.RingBy(_milliseconds);
    }

    private sealed class Alarm(long due, Action ring) : ITimer
    {
        private bool _over;

        public void RingBy(long now)
        {
            if (_over || now < due)
                return;
            _over = true;
            ring();
        }

        public bool Change(TimeSpan dueTime, TimeSpan period) => false;

        public void Dispose() => _over = true;

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }
    }
}
