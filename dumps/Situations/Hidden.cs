namespace Situations;

/// <summary>Reasons that are easily hidden: a timeout between two async methods, awaits that the compiler made, a method that only gave its thread away.</summary>
public static class Hidden
{
    private static readonly TaskCompletionSource Never = new();

    public static void Start(int count)
    {
        Marks.Keep(ImpatientAsync());
        Marks.Keep(PatientAsync());
        Marks.Keep(UsingAsync());
        Marks.Keep(ForeachAsync());
        Marks.Keep(DisposesItselfAsync());
        Thread.Sleep(300);
    }

    /// <summary>Gives its thread away to a context that never runs anything.</summary>
    public static void StartYielding(int count)
    {
        var thread = new Thread(() =>
        {
            SynchronizationContext.SetSynchronizationContext(new Idle());
            Marks.Keep(YieldingAsync());
        });
        thread.Start();
        thread.Join();
    }

    private static async Task ImpatientAsync()
    {
        await StepAsync(1).WaitAsync(TimeSpan.FromMinutes(10)).At("impatient");
        GC.KeepAlive(Never);
    }

    // The same without a limit.
    private static async Task PatientAsync()
    {
        await StepAsync(1).WaitAsync(new CancellationTokenSource().Token).At("patient");
        GC.KeepAlive(Never);
    }

    private static async Task StepAsync(int number)
    {
        await Never.Task.At("step");
        GC.KeepAlive(number);
    }

    private static async Task UsingAsync()
    {
        await using var held = new Held().At("opened");
        GC.KeepAlive(held);
        GC.KeepAlive(Never);
    }

    private static async Task ForeachAsync()
    {
        await foreach (int one in new Held().At("enumerated"))
            GC.KeepAlive(one);
        GC.KeepAlive(Never);
    }

    // A developer's own await of the same method.
    private static async Task DisposesItselfAsync()
    {
        var held = new Held();
        GC.KeepAlive(Marks.Here("disposes")); await held.DisposeAsync();
        GC.KeepAlive(Never);
    }

    private static async Task YieldingAsync()
    {
        GC.KeepAlive(Marks.Here("yielding")); await Task.Yield();
        GC.KeepAlive(Never);
    }

    private sealed class Idle : SynchronizationContext
    {
        public override void Post(SendOrPostCallback d, object? state) => Marks.Keep((d, state));
    }

    private sealed class Held : IAsyncDisposable, IAsyncEnumerable<int>, IAsyncEnumerator<int>
    {
        public int Current => 0;

        public IAsyncEnumerator<int> GetAsyncEnumerator(CancellationToken cancellationToken = default) => this;

        public ValueTask<bool> MoveNextAsync() => new(false);

        public async ValueTask DisposeAsync()
        {
            await Never.Task.At("disposing");
            GC.KeepAlive(this);
        }
    }
}
