namespace Situations;

/// <summary>
/// Operations of several kinds. When asked for a change, some stay where they are, some go on, some come back to the same place, some end, and
/// others begin; it says how many. Each frame has the number of its operation, and numbers say what becomes of them (<see cref="NextOf"/>).
/// </summary>
public static class Changing
{
    private const int Beginners = 4;
    private static readonly List<Work> Works = [];
    private static readonly List<byte[]?> Garbage = [];
    private static bool _hasTimers = true;
    private static bool _isCrowd;
    private static int _made;

    /// <summary>They begin one after the other.</summary>
    public static void Start(int count) => Begin(count == 0 ? 200 : count);

    /// <summary>The same without a timer, so that nothing has a time.</summary>
    public static void StartTimeless(int count)
    {
        _hasTimers = false;
        Begin(count == 0 ? 200 : count);
    }

    /// <summary>Several threads begin them, over a while in which much else is made, and garbage is collected.</summary>
    public static void StartCrowd(int count)
    {
        _isCrowd = true;
        Begin(count == 0 ? 400 : count);
    }

    /// <summary>The change.</summary>
    /// <param name="collects">How garbage is collected after it, when half of the new ones have begun; null for not at all.</param>
    public static int Change(Action? collects)
    {
        Work[] works;
        lock (Works)
            works = [.. Works.OrderBy(work => work.Number)];
        foreach (Work work in works)
            work.Go(NextOf(work.Number));
        // Who waited for a semaphore goes on in the pool.
        Thread.Sleep(500);
        BeginMany(works.Length / 20);
        collects?.Invoke();
        BeginMany(works.Length / 10 - (works.Length / 20));
        return works.Length;
    }

    /// <summary>Nothing but a collection that moves what it leaves.</summary>
    public static int Tidy()
    {
        CollectionOf("collect")!();
        return 0;
    }

    /// <summary>What is left of a collection by its name.</summary>
    public static Action? CollectionOf(string name) => name switch
    {
        "collect" => () => GC.Collect(2, GCCollectionMode.Forced, blocking: true, compacting: true),
        "sweep" => () => GC.Collect(2, GCCollectionMode.Forced, blocking: true, compacting: false),
        "collectYoung" => () => GC.Collect(0, GCCollectionMode.Forced, blocking: true),
        "collectTwice" => () =>
        {
            GC.Collect(0, GCCollectionMode.Forced, blocking: true);
            GC.Collect(1, GCCollectionMode.Forced, blocking: true);
        },
        _ => null,
    };

    private static void Begin(int number)
    {
        BeginMany(number);
        // Six of ten stay.
        Marks.Here("stuck", number / 10 * 6);
        Marks.Here("moved", number / 10 * 2);
        Marks.Here("gone", number / 10 * 2);
        Marks.Here("new", number / 10);
    }

    private static void BeginMany(int count)
    {
        if (!_isCrowd)
        {
            for (int i = 0; i < count; i++)
                BeginOne(Interlocked.Increment(ref _made) - 1);
            return;
        }
        int first = _made;
        _made += count;
        Thread[] threads = [.. Enumerable.Range(0, Beginners).Select(thread => new Thread(() => BeginShare(first, count, thread)))];
        foreach (Thread thread in threads)
            thread.Start();
        foreach (Thread thread in threads)
            thread.Join();
    }

    private static void BeginShare(int first, int count, int thread)
    {
        for (int i = thread; i < count; i += Beginners)
        {
            BeginOne(first + i);
            for (int k = 0; k < 20 * (thread + 1); k++)
                GC.KeepAlive(new byte[1000]);
            lock (Garbage)
                Garbage.Add(i % 3 == 0 ? new byte[300] : null);
            if (i % 97 == 0)
                GC.Collect(i % 2);
            Thread.Sleep(1);
        }
    }

    private static void BeginOne(int number)
    {
        // So that a collection has something to close up.
        GC.KeepAlive(new byte[200]);
        var work = new Work(number);
        lock (Works)
            Works.Add(work);
        Marks.Keep((number % 4) switch { 0 => PlainAsync(work), 1 => _hasTimers ? TimedAsync(work) : PlainAsync(work), 2 => PermitAsync(work), _ => OuterAsync(work) });
    }

    private static Next NextOf(int number) => (number / 4 % 10) switch { 6 => Next.On, 7 => Next.Again, 8 or 9 => Next.End, _ => Next.Stay };

    private static async Task PlainAsync(Work work)
    {
        int number = work.Number;
        do
        {
            await work.Gate.Task.At("plain");
        }
        while (work.Next == Next.Again);
        if (work.Next == Next.On)
            await work.Later.Task.At("plain.on");
        work.Ended = number;
    }

    private static async Task TimedAsync(Work work)
    {
        int number = work.Number;
        do
        {
            await work.Gate.Task.WaitAsync(TimeSpan.FromMinutes(30)).At("timed");
        }
        while (work.Next == Next.Again);
        if (work.Next == Next.On)
            await work.Later.Task.At("timed.on");
        work.Ended = number;
    }

    private static async Task PermitAsync(Work work)
    {
        int number = work.Number;
        do
        {
            await work.Permit.WaitAsync().At("permit");
        }
        while (work.Next == Next.Again);
        if (work.Next == Next.On)
            await work.Later.Task.At("permit.on");
        work.Ended = number;
    }

    private static async Task OuterAsync(Work work)
    {
        int number = work.Number;
        do
        {
            await InnerAsync(work).At("outer");
        }
        while (work.Next == Next.Again);
        if (work.Next == Next.On)
            await work.Later.Task.At("outer.on");
        work.Ended = number;
    }

    private static async Task InnerAsync(Work work) => await work.Gate.Task.At("inner");

    private enum Next
    {
        Stay,
        On,
        Again,
        End,
    }

    private sealed class Work(int number)
    {
        public int Number { get; } = number;

        public TaskCompletionSource Gate { get; private set; } = new();

        public TaskCompletionSource Later { get; } = new();

        public SemaphoreSlim Permit { get; } = new(0);

        public Next Next { get; private set; }

        public int Ended { get; set; }

        public void Go(Next next)
        {
            if (next == Next.Stay)
                return;
            Next = next;
            (TaskCompletionSource gate, Gate) = (Gate, new());
            gate.SetResult();
            Permit.Release();
        }
    }
}
