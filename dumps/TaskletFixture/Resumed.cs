extern alias experiment;
using System.Runtime.CompilerServices;
using experiment::TaskletFixture.Runtime;
using RuntimeHelpers = experiment::System.Runtime.CompilerServices.RuntimeHelpers;

namespace TaskletFixture;

/// <summary>
/// A stack whose innermost frame goes on: its task's state machine calls ResumptionFunc, that takes the innermost tasklets and
/// runs their frame. What the experiment would do by restoring the frame is here a second call of the same method.
/// </summary>
internal sealed class Resumed
{
    private readonly TaskCompletionSource _arrived = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Trail? _position;
    private bool _spins;
    private bool _isResumed;

    /// <param name="spins">It stays in the resumed frame; otherwise that suspends again.</param>
    public void Start(Truth truth, string name, bool spins)
    {
        _spins = spins;
        Trail trail = truth.Open(name);
        trail.Stack.State = spins ? "active" : "awaiting";
        truth.Kept.Add(RuntimeHelpers.Start(Order, trail));
        TaskCompletionSource<int> first = trail.Stack.Gate;
        trail.Stack.Gate = new(TaskCreationOptions.RunContinuationsAsynchronously);
        truth.Kept.Add(trail.Stack.Gate);
        first.SetResult(1);
        if (!_arrived.Task.Wait(TimeSpan.FromSeconds(30)))
            throw new InvalidOperationException("it was not resumed");
        // Time to return into ResumptionFunc, and to delete the old tasklet.
        Thread.Sleep(200);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Order(Trail t)
    {
        string label = Goods.Label(1);
        t.Local(label);
        Reserve(t.At(), label);
        Goods.Use(label);
        Goods.Use(this);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Reserve(Trail t, string label)
    {
        t.Local(label);
        _position = t.At(); Pack();
        Goods.Use(label);
        Goods.Use(this);
    }

    /// <summary>Called, suspended, and called again to go on.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Pack()
    {
        Trail t = _position!;
        if (!_isResumed)
        {
            _isResumed = true;
            RuntimeHelpers.UnsafeAwaitAwaiterFromRuntimeAsync(t.At().Gate().GetAwaiter());
            Tasklets.SetBody(NativeTasklets.Next(t.Stack.Owner!.Innermost), Pack);
        }
        else if (_spins)
        {
            Spin(t.At("thread"));
        }
        else
        {
            RuntimeHelpers.UnsafeAwaitAwaiterFromRuntimeAsync(t.At().Gate().GetAwaiter());
            _arrived.SetResult();
        }
        Goods.Use(this);
    }

    // In managed code only: of a thread that is inside the runtime's own native code the DAC finds no frames.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Spin(Trail t)
    {
        t.Rest(null);
        t.At("thread"); _arrived.SetResult(); while (Volatile.Read(ref _isResumed)) { }
    }
}
