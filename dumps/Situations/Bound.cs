namespace Situations;

/// <summary>Healthy, and code shows it only to who looks closely: a promise is completed by a delegate of its own method, or was taken out of a field that has got a new collection since.</summary>
public sealed class Bound
{
    private static readonly CancellationTokenSource End = new();

    private Dictionary<int, TaskCompletionSource<Answer>> _waiting = [];

    private enum Answer
    {
        Given,
    }

    public static void Start(int count)
    {
        Marks.Keep(UntilAsync(End.Token));
        var bound = new Bound();
        Marks.Keep(bound.AskAsync(1));
        Marks.Keep(bound.SendAsync());
        var loader = new Loader<int, Answer>();
        Marks.Keep(loader.LoadAsync(1));
        Marks.Keep(loader.DispatchAsync(Answer.Given));
        Thread.Sleep(300);
    }

    private static async Task UntilAsync(CancellationToken token)
    {
        var ended = new TaskCompletionSource();
        using CancellationTokenRegistration registration = token.Register(ended.SetResult);
        await ended.Task;
    }

    private async Task<Answer> AskAsync(int key)
    {
        var answer = new TaskCompletionSource<Answer>(TaskCreationOptions.RunContinuationsAsynchronously);
        _waiting[key] = answer;
        Answer given = await answer.Task;
        return _waiting.Count < 0 ? answer.Task.Result : given;
    }

    private async Task SendAsync()
    {
        Dictionary<int, TaskCompletionSource<Answer>> batch = _waiting;
        _waiting = [];
        await Task.Delay(TimeSpan.FromHours(1));
        foreach (TaskCompletionSource<Answer> answer in batch.Values)
            answer.SetResult(Answer.Given);
    }

    private sealed class Loader<TKey, TValue>
        where TKey : notnull
    {
        private Dictionary<TKey, TaskCompletionSource<TValue>> _waiting = [];

        public async Task<TValue> LoadAsync(TKey key)
        {
            TaskCompletionSource<TValue> value = _waiting[key] = new(TaskCreationOptions.RunContinuationsAsynchronously);
            TValue loaded = await value.Task;
            return _waiting.Count < 0 ? value.Task.Result : loaded;
        }

        public async Task DispatchAsync(TValue value)
        {
            Dictionary<TKey, TaskCompletionSource<TValue>> batch;
            (batch, _waiting) = (_waiting, []);
            await Task.Delay(TimeSpan.FromHours(1));
            foreach ((_, TaskCompletionSource<TValue> waiting) in batch)
                waiting.SetResult(value);
        }
    }
}
