namespace Situations;

/// <summary>
/// A lock for readers and writers, made of two queues of promises that hand out an object, which leaves when it is disposed of. One who reads asks another method that reads, while somebody waits to write; in
/// the twin it works for long.
/// </summary>
public sealed class Doors
{
    private readonly Queue<TaskCompletionSource<Visit>> _readers = new();
    private readonly Queue<TaskCompletionSource<Visit>> _writers = new();

    // -1 while somebody writes.
    private int _inside;

    public static void StartTwice(int count) => Start(TimeSpan.FromMilliseconds(200));

    public static void StartLong(int count) => Start(TimeSpan.FromHours(1));

    private static void Start(TimeSpan work)
    {
        var doors = new Doors();
        Marks.Keep(doors);
        Marks.Keep(doors.BuildAsync(work));
        Marks.Keep(doors.EditAsync());
        Thread.Sleep(800);
    }

    private Task<Visit> ReadAsync()
    {
        lock (_readers)
        {
            if (_inside < 0 || _writers.Count > 0)
                return Queued(_readers);
            _inside++;
            return Task.FromResult(new Visit(this));
        }
    }

    private Task<Visit> WriteAsync()
    {
        lock (_readers)
        {
            if (_inside != 0)
                return Queued(_writers);
            _inside = -1;
            return Task.FromResult(new Visit(this));
        }
    }

    private static Task<Visit> Queued(Queue<TaskCompletionSource<Visit>> queue)
    {
        var turn = new TaskCompletionSource<Visit>(TaskCreationOptions.RunContinuationsAsynchronously);
        queue.Enqueue(turn);
        return turn.Task;
    }

    private void Leave()
    {
        lock (_readers)
        {
            _inside = _inside < 0 ? 0 : _inside - 1;
            if (_inside == 0 && _writers.TryDequeue(out TaskCompletionSource<Visit>? writer))
            {
                _inside = -1;
                writer.SetResult(new Visit(this));
                return;
            }
            while (_inside >= 0 && _writers.Count == 0 && _readers.TryDequeue(out TaskCompletionSource<Visit>? reader))
            {
                _inside++;
                reader.SetResult(new Visit(this));
            }
        }
    }

    private async Task BuildAsync(TimeSpan work)
    {
        await using Visit visit = await ReadAsync();
        await Task.Delay(work);
        await LookAsync();
    }

    private async Task LookAsync()
    {
        await using (await ReadAsync())
            await Task.Delay(1);
    }

    private async Task EditAsync()
    {
        await using (await WriteAsync())
            await Task.Delay(1);
    }

    private sealed class Visit(Doors owner) : IAsyncDisposable
    {
        public ValueTask DisposeAsync()
        {
            owner.Leave();
            return default;
        }
    }
}
