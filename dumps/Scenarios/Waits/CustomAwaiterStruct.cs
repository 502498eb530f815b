// The user must see a frame that waits for something of its own which is no Task at all: a struct awaiter, found through
// an extension GetAwaiter.
using System.Runtime.CompilerServices;
using Scenarios.Support;

namespace Scenarios.Waits;

[Scenario("a struct awaiter through an extension GetAwaiter")]
public static class CustomAwaiterStruct
{
    public static async Task Run(Trail t)
    {
        int people = await OpenAsync(t.At());
        GC.KeepAlive(people);
    }

    private static async Task<int> OpenAsync(Trail t)
    {
        var bell = new Doorbell();
        t.Rest("DoorbellAwaiter", release: bell.Ring);
        t.At(); int people = await bell;
        return people + 1;
    }
}

public sealed class Doorbell
{
    private static readonly Action Rung = () => { };
    private Action? _waiting;

    public bool HasRung => _waiting == Rung;

    public void Ring() => Interlocked.Exchange(ref _waiting, Rung)?.Invoke();

    public void Hear(Action next)
    {
        if (Interlocked.CompareExchange(ref _waiting, next, null) == Rung) Task.Run(next);
    }
}

public static class DoorbellExtensions
{
    public static DoorbellAwaiter GetAwaiter(this Doorbell bell) => new(bell);
}

public readonly struct DoorbellAwaiter(Doorbell bell) : ICriticalNotifyCompletion
{
    public bool IsCompleted => bell.HasRung;

    public int GetResult() => 1;

    public void OnCompleted(Action continuation) => bell.Hear(continuation);

    public void UnsafeOnCompleted(Action continuation) => bell.Hear(continuation);
}
