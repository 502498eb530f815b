namespace Situations;

/// <summary>
/// Operations of several kinds. When asked for a change, some stay where they are, some go on, some come back to the same place, some end, and
/// others begin; it says how many.
/// </summary>
public static class Changing
{
    private static readonly List<Work> Works = [];
    private static int _made;

    public static void Start(int count)
    {
        int number = count == 0 ? 200 : count;
        for (int i = 0; i < number; i++)
            Begin();
        // Six of ten stay.
        Marks.Here("stuck", number / 10 * 6);
        Marks.Here("moved", number / 10 * 2);
        Marks.Here("gone", number / 10 * 2);
        Marks.Here("new", number / 10);
    }

    /// <summary>The change.</summary>
    /// <param name="collects">Garbage is collected after it, and half of the new ones begin after that.</param>
    public static int Change(bool collects)
    {
        int number = Works.Count;
        for (int i = 0; i < number; i++)
            Works[i].Go((i / 4 % 10) switch { 6 => Next.On, 7 => Next.Again, 8 or 9 => Next.End, _ => Next.Stay });
        // Who waited for a semaphore goes on in the pool.
        Thread.Sleep(500);
        for (int i = 0; i < number / 20; i++)
            Begin();
        if (collects)
            GC.Collect(2, GCCollectionMode.Forced, blocking: true, compacting: true);
        for (int i = number / 20; i < number / 10; i++)
            Begin();
        return number;
    }

    private static void Begin()
    {
        // So that a collection has something to close up.
        GC.KeepAlive(new byte[200]);
        int kind = _made++ % 4;
        var work = new Work(_made);
        Works.Add(work);
        Marks.Keep(kind switch { 0 => PlainAsync(work), 1 => TimedAsync(work), 2 => PermitAsync(work), _ => OuterAsync(work) });
    }

    private static async Task PlainAsync(Work work)
    {
        do
        {
            await work.Gate.Task.At("plain");
        }
        while (work.Next == Next.Again);
        if (work.Next == Next.On)
            await work.Later.Task.At("plain.on");
    }

    private static async Task TimedAsync(Work work)
    {
        do
        {
            await work.Gate.Task.WaitAsync(TimeSpan.FromMilliseconds(1_800_000 + (10 * work.Number))).At("timed");
        }
        while (work.Next == Next.Again);
        if (work.Next == Next.On)
            await work.Later.Task.At("timed.on");
    }

    private static async Task PermitAsync(Work work)
    {
        do
        {
            await work.Permit.WaitAsync().At("permit");
        }
        while (work.Next == Next.Again);
        if (work.Next == Next.On)
            await work.Later.Task.At("permit.on");
    }

    private static async Task OuterAsync(Work work)
    {
        do
        {
            await InnerAsync(work).At("outer");
        }
        while (work.Next == Next.Again);
        if (work.Next == Next.On)
            await work.Later.Task.At("outer.on");
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
