using System.Runtime.CompilerServices;

namespace Shop.Awaits;

public interface IAsk
{
    Task PayAsync(int x);

    ValueTask<int> AskAsync();
}

public abstract class Base
{
    public abstract Task DoAsync();

    public virtual Task<int> VirtualAsync() => Task.FromResult(1);

    public Task PlainAsync() => Task.CompletedTask;
}

public sealed class Derived : Base
{
    public override async Task DoAsync()
    {
        await base.VirtualAsync();
        await VirtualAsync();
    }
}

public delegate Task OwnDelegate(int x);

public class OwnTask() : Task(() => { });

public struct OwnAwaiter : ICriticalNotifyCompletion
{
    public bool IsCompleted => false;

    public int GetResult() => 1;

    public void OnCompleted(Action continuation)
    {
    }

    public void UnsafeOnCompleted(Action continuation)
    {
    }
}

public struct OwnAwaitable
{
    public OwnAwaiter GetAwaiter() => default;
}

public class SafeAwaiter : INotifyCompletion
{
    public bool IsCompleted => false;

    public void GetResult()
    {
    }

    public void OnCompleted(Action continuation)
    {
    }
}

public class SafeAwaitable
{
    public SafeAwaiter GetAwaiter() => null;
}

public sealed class Resource : IAsyncDisposable
{
    public ValueTask DisposeAsync() => default;
}

public class Box<T>
{
    public async Task<T> GetAsync<TItem>(T value, TItem item)
    {
        await Task.Delay(1);
        return value;
    }

    public static Task<T> StaticAsync() => null;
}

public class Shapes
{
    private Task _field = Task.CompletedTask;

    private static T Give<T>(T value) => value;

    private static OwnTask Own() => null;

    public static async Task<int> Leaf(int x)
    {
        await Task.Yield();
        return x;
    }

    public static async Task Two() => Console.Write(await Leaf(await Leaf(1)) + 1);

    public static async Task Stored()
    {
        Task t = Leaf(1);
        Console.WriteLine();
        await t;
    }

    public async Task Field() => await _field;

    public static async Task ValueTasks(IAsk ask)
    {
        await ask.AskAsync();
        await ask.AskAsync().ConfigureAwait(false);
        await ask.AskAsync().AsTask();
        ValueTask none = default;
        await none;
    }

    public static async Task Configured(bool flag)
    {
        await Leaf(1).ConfigureAwait(false);
        await Leaf(2).ConfigureAwait(ConfigureAwaitOptions.None);
        await Leaf(3).ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        await Leaf(4).ConfigureAwait(flag);
        Task t = Leaf(5);
        await t.ConfigureAwait(true);
    }

    public static async Task Awaiters()
    {
        Console.Write(await new OwnAwaitable());
        await new SafeAwaitable();
        await Task.Yield();
    }

    public static async Task Dynamic(dynamic d) => await d;

    public static async Task Foreach(IAsyncEnumerable<int> items)
    {
        await foreach (var item in items) Console.Write(item);
    }

    public static async Task Using()
    {
        await using var resource = new Resource();
        Console.WriteLine();
    }

    public static async Task Delegates(Func<Task> f, OwnDelegate own)
    {
        await f();
        await own(1);
    }

    public static async Task Calls(IAsk ask, Base b, Derived d)
    {
        await ask.PayAsync(1);
        await b.DoAsync();
        await b.VirtualAsync();
        await b.PlainAsync();
        await d.DoAsync();
    }

    public static async Task Constrained<T>(T ask) where T : IAsk => await ask.PayAsync(1);

    public static async Task Generic<T>(Box<T> box, T value)
    {
        await box.GetAsync(value, 1);
        await Box<int>.StaticAsync();
    }

    public static async Task NoVariant()
    {
        await Give<Task<int>>(null);
        await Own();
        await new Task(() => { });
    }

    public static async Task TryCatch()
    {
        try
        {
            await Leaf(1);
        }
        catch (InvalidOperationException e) when (e.Message == "x")
        {
            await Leaf(2);
            throw;
        }
        finally
        {
            await Leaf(3);
        }
    }

    public static async Task Joined(bool flag, Task<int> given)
    {
        await (flag ? Leaf(1) : Leaf(2));
        await (given ?? Leaf(3));
    }

    public static async Task Library(SemaphoreSlim gate)
    {
        await gate.WaitAsync();
        await Task.WhenAll(Leaf(1), Leaf(2));
        await Task.Delay(1).WaitAsync(TimeSpan.FromSeconds(1));
    }
}
