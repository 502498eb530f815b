using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Libraries;

/// <summary>
/// HttpClient's pools: a request that waits for a connection, with the host and how many connections it has; and a request on a
/// connection of HTTP/2 that waits for its response (System.Net.Http 10.0.12).
/// </summary>
internal sealed class HttpPoolWaits(WaitReaderContext all) : IWaitFamily<HttpPoolWaits>
{
    private static readonly LibraryObject Waiter = new("System.Net.Http.HttpConnectionWaiter<", "_task");
    private static readonly LibraryObject Pool = new("System.Net.Http.HttpConnectionPool");

    public static IReadOnlyList<LibraryObject> Objects { get; } = [Waiter, Pool];

    private const string Stream = "System.Net.Http.Http2Connection+Http2Stream";
    private const int WaiterLimit = 1_000_000;
    private static readonly WaitReason BeingOpened = new(WaitKind.Pool, "HTTP", WaitAction.Connection) { Shared = [new(WaitFactKey.BeingOpened)] };
    private static readonly string[] Queues = ["_http11RequestQueue", "_http2RequestQueue", "_http3RequestQueue"];

    private readonly Dictionary<ulong, (HeapObject Pool, string Queue, int Place)> _places = [];
    private readonly Dictionary<(ulong Pool, string Queue), int> _counts = [];
    private readonly Dictionary<(ulong Pool, string Queue), WaitReason> _reasons = [];
    private readonly WaitFactList _facts = new();
    private bool _isBuilt;

    public static HttpPoolWaits Open(WaitReaderContext all) => new(all);

    public WaitStepReader? ReaderOf(ClrType type)
        => type.Name == Stream ? address => new(OfStream(all.At(address))) : null;

    public WaitReason? ReadOwner(HeapObject owner, LibraryObject kind)
    {
        Build();
        if (!_places.TryGetValue(owner.Address, out (HeapObject Pool, string Queue, int Place) found))
            return BeingOpened;
        (ulong, string) key = (found.Pool.Address, found.Queue);
        if (!_reasons.TryGetValue(key, out WaitReason? reason))
            _reasons[key] = reason = OfQueue(found.Pool, found.Queue);
        return reason with { Own = [new(WaitFactKey.PlaceInQueue, found.Place)] };
    }

    // The facts that all waiters of a queue share.
    private WaitReason OfQueue(HeapObject pool, string queue)
    {
        _facts.AddText(WaitFactKey.Host, Authority(pool));
        AddInUse(pool, queue);
        _facts.Add(WaitFactKey.Waiting, _counts[(pool.Address, queue)]);
        return new(WaitKind.Pool, "HTTP", WaitAction.Connection) { Resource = pool.Address, Shared = _facts.Take() };
    }

    private WaitReason OfStream(HeapObject stream)
    {
        HeapObject connection = all.Fields.Follow(stream, "_connection");
        string? method = all.Fields.Text(all.Fields.Follow(stream, "_request", "_method"), "_method");
        _facts.AddText(WaitFactKey.From, Authority(all.Fields.Follow(connection, "_pool")));
        _facts.AddText(WaitFactKey.HttpMethod, method);
        if (all.Fields.Int32(connection, "_streamsInUse") is > 0 and var count)
            _facts.Add(WaitFactKey.Streams, count);
        // Each answer has its stream; the connection is for many.
        return new(WaitKind.Socket, "HTTP/2", WaitAction.Response) { Resource = stream.Address, Shared = _facts.Take() };
    }

    private string? Authority(HeapObject pool)
    {
        HeapObject authority = all.Fields.Follow(pool, "_originAuthority");
        return all.Fields.Text(authority, ObjectFields.Behind("IdnHost")) is { Length: > 0 } host
            && all.Fields.Int32(authority, ObjectFields.Behind("Port")) is { } port ? FormattableString.Invariant($"{host}:{port}") : null;
    }

    private void AddInUse(HeapObject pool, string queue)
    {
        bool isHttp11 = queue == Queues[0];
        if (all.Fields.Int32(pool, isHttp11 ? "_associatedHttp11ConnectionCount" : "_associatedHttp2ConnectionCount") is not { } open)
            return;
        if (!isHttp11)
        {
            _facts.Add(WaitFactKey.Connections, open);
            return;
        }
        int connecting = Math.Max(0, all.Fields.Int32(pool, "_pendingHttp11ConnectionCount") ?? 0), used = Math.Max(0, open - connecting);
        _facts.Add(WaitFactKey.InUse, used, of: all.Fields.Int32(pool, "_maxHttp11Connections") is > 0 and < int.MaxValue and var most ? most : null);
        if (connecting > 0)
            _facts.Add(WaitFactKey.BeingOpened, connecting);
    }

    private void Build()
    {
        if (_isBuilt)
            return;
        _isBuilt = true;
        foreach (HeapObject pool in all.Library.Of(Pool))
        {
            foreach (string queue in Queues)
                Add(pool, queue);
        }
    }

    // A ring of pairs: a request and its waiter. Pairs whose request has continued stay in it.
    private void Add(HeapObject pool, string queue)
    {
        HeapObject ring = all.Fields.Follow(pool, queue + "/_array");
        if (ring.Address == 0 || ring.Length() is not (> 0 and <= WaiterLimit and var length)
            || all.Fields.Int32(pool, queue + "/_head") is not { } head || all.Fields.Int32(pool, queue + "/_size") is not { } size)
            return;
        int count = 0;
        for (int i = 0; i < Math.Min(size, (int)length); i++)
        {
            int slot = (int)(((uint)head + (uint)i) % length), pair = ArrayLayout.FirstElement(ring.Memory) + (2 * slot * all.PointerSize);
            foreach (HeapObject waiter in (HeapObject[])[ring.At(pair), ring.At(pair + all.PointerSize)])
            {
                if (all.Library.KindOf(waiter) == Waiter && !all.Fields.IsCompleted(all.Fields.Follow(waiter, "_task")))
                    _places.TryAdd(waiter.Address, (pool, queue, ++count));
            }
        }
        _counts[(pool.Address, queue)] = count;
    }
}
