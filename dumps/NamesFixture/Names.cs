namespace Shop;

public interface IPay
{
    Task PayAsync(int amount);
}

public interface IRepo<T>
{
    Task<T> GetAsync(string key);

    int Total { get; }
}

public class Orders
{
    private readonly int _seed;

    static Orders() => Console.Write("");

    public Orders(int seed)
    {
        _seed = seed;
        Action inConstructor = () => Console.Write(seed);
        inConstructor();
    }

    public int Total
    {
        get
        {
            Func<int> inGetter = () => _seed;
            return inGetter();
        }
        set => Console.Write(value);
    }

    public int this[int index, string key]
    {
        get => index;
        set => Console.Write(value);
    }

    public event Action Changed
    {
        add { }
        remove { }
    }

    public static Orders operator +(Orders a, Orders b) => a;

    public static implicit operator int(Orders a) => 1;

    public async Task PayAsync(int amount, string currency)
    {
        await Task.Yield();
        Func<int, Task> lambda = async x => await Task.Delay(x);
        Func<int, Task> capturing = async x =>
        {
            Func<Task> nested = async () => await Task.Delay(x + amount);
            await nested();
        };
        await lambda(1);
        await capturing(2);
        await Check(3);
        await CheckCapturing(4);
        SyncCapturing(5);

        static async Task Check(int x) => await Task.Delay(x);

        async Task CheckCapturing(int x)
        {
            await Task.Delay(x + amount);
            Func<Task> inLocal = async () => await Task.Delay(amount);
            await inLocal();
            await Inner();

            async Task Inner() => await Task.Delay(amount);
        }

        void SyncCapturing(int x) => Console.Write(x + amount);
    }

    public void Plain(int amount)
    {
        // Captured by a local function that never leaves: the closure is a struct, handed over by reference.
        SyncOnly(5);

        void SyncOnly(int x) => Console.Write(x + amount);
    }

    public void Shapes(int? a, string[] b, int[,] c, int[][,] d, ref int e, out string f, in Guid g, (int, string) h,
        (int, int, int, int, int, int, int, int, string) i, List<Dictionary<string, int?>> j, CancellationToken k, object l,
        nint m, decimal n, List<int>.Enumerator o, Line p, params object[] q) => f = "";

    public unsafe void Pointers(int* a, void** b, delegate*<int, string> c)
    {
    }

    public void add_item(int plain)
    {
    }

    public class Line
    {
        public async Task CheckAsync()
        {
            await Task.Yield();
            Func<Task> lambda = async () => await Task.Delay(1);
            await lambda();
        }
    }

    public async IAsyncEnumerable<int> StreamAsync(int count)
    {
        await Task.Yield();
        yield return count;
    }

    public IEnumerable<int> Numbers(int count)
    {
        yield return count;
    }
}

public sealed class Card : IPay, IRepo<Orders.Line>, IRepo<int>
{
    async Task IPay.PayAsync(int amount)
    {
        await Task.Yield();
        Func<Task> lambda = async () => await Task.Delay(1);
        await lambda();
    }

    async Task<Orders.Line> IRepo<Orders.Line>.GetAsync(string key)
    {
        await Task.Yield();
        return null;
    }

    async Task<int> IRepo<int>.GetAsync(string key)
    {
        await Task.Yield();
        return 1;
    }

    int IRepo<Orders.Line>.Total => 1;

    int IRepo<int>.Total => 1;
}

public class Cache<TKey, TValue>
{
    public async Task<TValue> GetAsync<TItem>(TKey key)
    {
        await Task.Yield();
        Func<TItem, Task<TKey>> lambda = async item => { await Task.Yield(); return key; };
        Func<TItem, Task> plain = async item => await Task.Yield();
        await lambda(default);
        await plain(default);
        await Check<int>(default, 1);
        return default;

        static async Task Check<TLocal>(TItem item, TLocal local) => await Task.Yield();
    }

    public class Entry<TExtra>
    {
        public async Task TouchAsync(TKey key, TValue value, TExtra extra, List<TExtra> list) => await Task.Yield();

        public class Leaf
        {
            public void Touch(TExtra extra)
            {
            }
        }
    }
}

public record Money(int Amount);

file class Hidden
{
    public async Task RunAsync(Hidden other) => await Task.Yield();
}

public static class Late
{
    public static async void FireAndForget(int x) => await Task.Delay(x);

    public static async ValueTask<string> ReadAsync(Func<int, Task<string>> read) => await read(1);

    public static void Anonymous()
    {
        var pair = new { A = 1, B = "" };
        Generic(pair);
    }

    private static void Generic<T>(T value)
    {
    }
}
