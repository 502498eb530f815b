using System.Collections.Concurrent;

namespace Situations;

/// <summary>What is given for a key must be disposed. An exception has lost one; the twin keeps it in an object, whose disposal releases it.</summary>
#pragma warning disable CA1001, CA2000 // They live as long as the process.
public sealed class Leases : IDisposable
{
    private static readonly CancellationTokenSource Never = new();
    private readonly ConcurrentDictionary<string, SemaphoreSlim> _locks = new();
    private readonly SemaphoreSlim _other = new(1, 1), _slots = new(1);
    private IDisposable? _open;
    private int _worked;

    /// <summary>Lost; what may release another lock, whichever, says nothing of it.</summary>
    public static void StartLost(int count)
    {
        var all = new Leases();
        Never.Token.Register(static state => ((SemaphoreSlim)state!).Release(), all._other);
        all.Start(CatchAsync(all.UpdateAsync("kim", true)));
        all.Start(all.UpdateAsync("kim", false), all.UpdateAsync("lee", false));
    }

    /// <summary>Not lost: it is disposed with its owner, or when a token is cancelled.</summary>
    public static void StartKept(int count)
    {
        var all = new Leases();
        all.Start(all.OpenAsync("kim"), all.GrantAsync());
        all.Start(all.UpdateAsync("kim", false), all.OtherAsync());
    }

    public void Dispose() => _open?.Dispose();

    private void Start(params Task[] tasks)
    {
        Marks.Keep(this);
        foreach (Task task in tasks)
            Marks.Keep(task);
        Thread.Sleep(300);
    }

    /// <summary>A way out returns without giving the permit back; and somebody waits for an answer that will be disposed of.</summary>
    public static void StartMessage(int count)
    {
        var all = new Leases();
        all.Start(all.AdmitAsync(isKnown: false));
        all.Start(all.AdmitAsync(isKnown: true), all.AdmitAsync(isKnown: true), all.AskAsync());
    }

    private async Task AdmitAsync(bool isKnown)
    {
        await _slots.WaitAsync();
        if (!isKnown)
            return;
        try
        {
            await Task.Yield();
            _worked++;
        }
        finally
        {
            _slots.Release();
        }
    }

    private async Task AskAsync()
    {
        using HttpResponseMessage message = await AnswerAsync();
        _worked += (int)message.StatusCode;
    }

    private static async Task<HttpResponseMessage> AnswerAsync()
    {
        await Task.Delay(TimeSpan.FromHours(1));
        return new HttpResponseMessage();
    }

    private async Task UpdateAsync(string id, bool isBad)
    {
        IDisposable lease = await EnterAsync(id);
        await ValidateAsync(isBad);
        _worked++;
        lease.Dispose();
    }

    private static async Task CatchAsync(Task task)
    {
        try
        {
            await task;
        }
        catch (InvalidOperationException)
        {
            Marks.Keep(task);
        }
    }

    private static async Task ValidateAsync(bool isBad)
    {
        await Task.Delay(10);
        if (isBad)
            throw new InvalidOperationException("bad");
    }

    private async Task OpenAsync(string id) => _open = await EnterAsync(id);

    private async Task GrantAsync()
    {
        await _other.WaitAsync();
        Never.Token.Register(static state => ((SemaphoreSlim)state!).Release(), _other);
    }

    private async Task OtherAsync()
    {
        await _other.WaitAsync();
        _worked++;
        _other.Release();
    }

    private async Task<IDisposable> EnterAsync(string key)
    {
        SemaphoreSlim gate = _locks.GetOrAdd(key, static _ => new SemaphoreSlim(1, 1));
        await gate.WaitAsync();
        return new Lease(gate);
    }

    private sealed class Lease(SemaphoreSlim gate) : IDisposable
    {
        private int _isDone;

        public void Dispose()
        {
            if (Interlocked.Exchange(ref _isDone, 1) == 0)
                gate.Release();
        }
    }
}
