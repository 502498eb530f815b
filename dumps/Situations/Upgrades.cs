namespace Situations;

/// <summary>A lock for readers and writers, by promises, that counts its readers: those who read want to write, and none leaves. In the twin they leave first, and who writes takes long.</summary>
public sealed class Upgrades
{
    private readonly Doors _doors = new();
    private readonly bool _leavesFirst;

    private Upgrades(bool leavesFirst) => _leavesFirst = leavesFirst;

    /// <summary>Three readers want to write.</summary>
    public static void StartStuck(int count) => Start(leavesFirst: false);

    /// <summary>Healthy: they leave before they want to write.</summary>
    public static void StartAlike(int count) => Start(leavesFirst: true);

    private static void Start(bool leavesFirst)
    {
        var all = new Upgrades(leavesFirst);
        Marks.Keep(all);
        Together.Start(all.TouchAsync, all.TouchAsync, all.TouchAsync);
    }

    private async Task TouchAsync(Task all)
    {
        await _doors.ReadAsync();
        try
        {
            await all;
            if (!_leavesFirst)
                await WriteAsync();
        }
        finally
        {
            _doors.EndRead();
        }
        await WriteAsync();
    }

    private async Task WriteAsync()
    {
        await _doors.WriteAsync();
        try
        {
            await Task.Delay(TimeSpan.FromHours(1));
        }
        finally
        {
            _doors.EndWrite();
        }
    }

    private sealed class Doors
    {
        private readonly object _sync = new();
        private readonly Queue<TaskCompletionSource<ushort>> _writers = new();
        private int _readers;
        private bool _writing;

        public Task ReadAsync()
        {
            lock (_sync)
            {
                _readers++;
                return Task.CompletedTask;
            }
        }

        public void EndRead()
        {
            lock (_sync)
                _readers--;
            Next();
        }

        public Task WriteAsync()
        {
            lock (_sync)
            {
                if (_readers == 0 && !_writing)
                {
                    _writing = true;
                    return Task.CompletedTask;
                }
                var turn = new TaskCompletionSource<ushort>(TaskCreationOptions.RunContinuationsAsynchronously);
                _writers.Enqueue(turn);
                return turn.Task;
            }
        }

        public void EndWrite()
        {
            lock (_sync)
                _writing = false;
            Next();
        }

        private void Next()
        {
            TaskCompletionSource<ushort>? next;
            lock (_sync)
            {
                if (_writing || _readers > 0 || !_writers.TryDequeue(out next))
                    return;
                _writing = true;
            }
            next.SetResult(1);
        }
    }
}
