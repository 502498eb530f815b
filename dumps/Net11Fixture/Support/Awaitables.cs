using System.Runtime.CompilerServices;

namespace Net11Fixture.Support;

/// <summary>Has a value task.</summary>
public sealed class Counting
{
    public ValueTask<int> Parcels => default;
}

/// <summary>An awaiter's own object.</summary>
public sealed class Bell
{
    public Action? OnRing;
}

/// <summary>Awaited with an awaiter of its own, a struct.</summary>
public readonly struct Ringing(Bell bell) : ICriticalNotifyCompletion
{
    public bool IsCompleted => false;

    public Ringing GetAwaiter() => this;

    public void GetResult()
    {
    }

    public void OnCompleted(Action continuation) => bell.OnRing = continuation;

    public void UnsafeOnCompleted(Action continuation) => bell.OnRing = continuation;
}
