using System.Threading.Channels;

namespace Situations;

/// <summary>Who waits for semaphores and channels that the program knows by a name, in code that is the same for all of them.</summary>
#pragma warning disable CA1001 // It lives as long as the process.
public sealed class Named
#pragma warning restore CA1001
{
    private static readonly SemaphoreSlim Till = new(0);
    private static readonly SemaphoreSlim Door = new(0);
    private static readonly List<SemaphoreSlim> Gates = [new(1), new(0)];
    private static readonly Dictionary<string, SemaphoreSlim> Guests = new() { ["ada"] = new(1), ["grace"] = new(0) };

    private readonly SemaphoreSlim _oven = new(0);
    private readonly Channel<int> _orders = Channel.CreateUnbounded<int>();
    private readonly Lock _lock = new();
    private int _baked;

    public static void Start(int count)
    {
        Enter(Till, 2);
        Enter(Door, 3);
        Enter(Gates[1], 1);
        Enter(Guests["grace"], 1);
        Enter(new SemaphoreSlim(0), 1);
        var kitchen = new Named();
        Marks.Keep(kitchen.BakeAsync());
        Marks.Keep(kitchen.BakeAsync());
        Marks.Keep(kitchen.ServeAsync());
        kitchen.Block();
        Thread.Sleep(300);
    }

    private static void Enter(SemaphoreSlim semaphore, int waiters)
    {
        for (int i = 0; i < waiters; i++)
            Marks.Keep(EnterAsync(semaphore));
    }

    private static async Task<int> EnterAsync(SemaphoreSlim semaphore)
    {
        await semaphore.WaitAsync().At("enter");
        return semaphore.CurrentCount;
    }

    private async Task<int> BakeAsync()
    {
        await _oven.WaitAsync().At("bake");
        return ++_baked;
    }

    private async Task<int> ServeAsync()
    {
#pragma warning disable CA2012 // At gives back what it was given, and that is awaited.
        int order = await _orders.Reader.ReadAsync().At("serve");
#pragma warning restore CA2012
        return order + _baked;
    }

    // One thread keeps the lock, another one wants it.
    private void Block()
    {
        var isHeld = new ManualResetEventSlim();
        new Thread(() => { lock (_lock) { isHeld.Set(); Thread.Sleep(Timeout.Infinite); } }) { IsBackground = true }.Start();
        isHeld.Wait();
        new Thread(() => { lock (_lock) { _baked++; } }) { IsBackground = true }.Start();
    }
}
