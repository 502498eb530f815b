namespace Situations;

/// <summary>Promises that only code which waits itself would complete, and promises that no code completes any more. In the twins somebody is about to do it.</summary>
#pragma warning disable CA1001 // They live as long as the process.
public static class Promises
{
    /// <summary>Nobody goes on.</summary>
    public static void StartStuck(int count)
    {
        var vote = new Election(confirmsFirst: false);
        Marks.Keep(vote);
        Together.Start(vote.LeadAsync, vote.FollowAsync, vote.FollowAsync);
        var schema = new Schema();
        Start(schema, new Warmup(schema), new Migration(schema, TimeSpan.Zero));
        var gate = new Gate();
        Marks.Keep(gate);
        Marks.Keep(ResumeAsync(gate));
        gate.Forget();
    }

    /// <summary>Healthy: followers will confirm before they want what the leader has, a part takes long that comes first, the gate is opened by a timer, and who hands over only waits for one.</summary>
    public static void StartAlike(int count)
    {
        var vote = new Election(confirmsFirst: true);
        Marks.Keep(vote);
        Together.Start(vote.LeadAsync, vote.FollowAsync, vote.FollowAsync);
        var schema = new Schema();
        Start(schema, new Migration(schema, TimeSpan.FromHours(1)), new Warmup(schema));
        Marks.Keep(new Warmup(schema).StartAsync());
        var gate = new Gate();
        Marks.Keep(ResumeAsync(gate));
        Marks.Keep(new Timer(_ => gate.Open(), null, TimeSpan.FromHours(1), Timeout.InfiniteTimeSpan));
        Marks.Keep(HandOverAsync());
    }

    private static void Start(Schema schema, params IPart[] parts)
    {
        Marks.Keep(schema);
        Marks.Keep(HostAsync(parts));
    }

    private static async Task HostAsync(IReadOnlyList<IPart> parts)
    {
        foreach (IPart part in parts)
            await part.StartAsync();
    }

    private static async Task ResumeAsync(Gate gate)
    {
        await gate.PassAsync();
        await Task.Yield();
    }

    // No delegate, interface or framework leads to it: that it completes the promise only this suspended call of it tells.
    private static async Task HandOverAsync()
    {
        var paid = new TaskCompletionSource<byte>(TaskCreationOptions.RunContinuationsAsynchronously);
        Task shipped = ShipAsync(paid);
        await Task.Delay(TimeSpan.FromHours(1));
        paid.SetResult(1);
        await shipped;
    }

    private static async Task ShipAsync(TaskCompletionSource<byte> paid)
    {
        await paid.Task;
        await Task.Yield();
    }

    /// <summary>The leader lets go when its followers have confirmed.</summary>
    private sealed class Election(bool confirmsFirst)
    {
        private readonly SemaphoreSlim _lease = new(1, 1);
        private readonly TaskCompletionSource<decimal> _quorum = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private int _confirmed;

        public async Task LeadAsync(Task all)
        {
            await _lease.WaitAsync();
            try
            {
                await all;
                await _quorum.Task;
            }
            finally
            {
                _lease.Release();
            }
        }

        public async Task FollowAsync(Task all)
        {
            await all;
            if (confirmsFirst)
            {
                await Task.Delay(TimeSpan.FromHours(1));
                Confirm();
            }
            await _lease.WaitAsync();
            try
            {
                if (!confirmsFirst)
                    Confirm();
            }
            finally
            {
                _lease.Release();
            }
        }

        private void Confirm()
        {
            if (++_confirmed == 2)
                _quorum.TrySetResult(_confirmed);
        }
    }

    /// <summary>Parts are started one after the other; the first needs what the second does.</summary>
    private interface IPart
    {
        Task StartAsync();
    }

    private sealed class Schema
    {
        public TaskCompletionSource<string> Ready { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
    }

    private sealed class Warmup(Schema schema) : IPart
    {
        public async Task StartAsync()
        {
            await schema.Ready.Task;
            await Task.Yield();
        }
    }

    private sealed class Migration(Schema schema, TimeSpan takes) : IPart
    {
        public async Task StartAsync()
        {
            await Task.Delay(takes);
            schema.Ready.SetResult("done");
        }
    }

    /// <summary>Who takes a new promise forgets those that wait for the old one, though it is kept.</summary>
    private sealed class Gate
    {
        private readonly List<TaskCompletionSource<double>> _past = [];
        private TaskCompletionSource<double> _open = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task PassAsync() => _open.Task;

        public void Open() => _open.TrySetResult(1);

        public void Forget()
        {
            _past.Add(_open);
            _open = new(TaskCreationOptions.RunContinuationsAsynchronously);
            _open.SetResult(0);
        }
    }
}
