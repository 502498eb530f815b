using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Layouts.Waits;
using Async2.Analysis.Layouts;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Libraries;

/// <summary>
/// HttpClient's pools: a request that waits for a connection, with the host and how many connections it has; and a request on a
/// connection of HTTP/2 that waits for its response (System.Net.Http 10.0.12).
/// </summary>
internal sealed class HttpPoolWaits(WaitReaderContext all) : IWaitFamily
{
    private const string Stream = "System.Net.Http.Http2Connection+Http2Stream";
    private const int WaiterLimit = 1_000_000;
    private static readonly string[] Queues = ["_http11RequestQueue", "_http2RequestQueue", "_http3RequestQueue"];

    private readonly Dictionary<ulong, (HeapObject Pool, string Queue, int Place)> _places = [];
    private readonly Dictionary<(ulong Pool, string Queue), int> _counts = [];
    private bool _isBuilt;

    public WaitStepReader? ReaderOf(ClrType type)
        => type.Name == Stream ? address => new(OfStream(all.At(address))) : null;

    /// <param name="waiter">What stands in the queue of a pool.</param>
    public WaitFacts Read(HeapObject waiter)
    {
        Build();
        if (!_places.TryGetValue(waiter.Address, out (HeapObject Pool, string Queue, int Place) found))
            return new(WaitFamily.Pool, "HTTP connection", "being opened", null, 0);
        string waiting = WaitText.Count(_counts[(found.Pool.Address, found.Queue)], "waiting", "waiting");
        return new(WaitFamily.Pool, "HTTP connection", WaitText.Join(Authority(found.Pool), InUse(found.Pool, found.Queue), waiting),
            WaitText.Ordinal(found.Place) + " in the queue", found.Pool.Address);
    }

    private WaitFacts OfStream(HeapObject stream)
    {
        HeapObject connection = all.Fields.Follow(stream, "_connection");
        string? method = all.Fields.Text(all.Fields.Follow(stream, "_request", "_method"), "_method");
        string? from = Authority(all.Fields.Follow(connection, "_pool")) is { } host ? "from " + host : null;
        string? streams = all.Fields.Int32(connection, "_streamsInUse") is > 0 and var count ? WaitText.Count(count, "stream") : null;
        return new(WaitFamily.Socket, "HTTP/2 response", WaitText.Join(from, method, streams), null, connection.Address);
    }

    private string? Authority(HeapObject pool)
    {
        HeapObject authority = all.Fields.Follow(pool, "_originAuthority");
        return all.Fields.Text(authority, ObjectFields.Behind("IdnHost")) is { Length: > 0 } host
            && all.Fields.Int32(authority, ObjectFields.Behind("Port")) is { } port ? FormattableString.Invariant($"{host}:{port}") : null;
    }

    private string? InUse(HeapObject pool, string queue)
    {
        bool isHttp11 = queue == Queues[0];
        if (all.Fields.Int32(pool, isHttp11 ? "_associatedHttp11ConnectionCount" : "_associatedHttp2ConnectionCount") is not { } open)
            return null;
        if (!isHttp11)
            return WaitText.Count(open, "connection");
        int connecting = Math.Max(0, all.Fields.Int32(pool, "_pendingHttp11ConnectionCount") ?? 0), used = Math.Max(0, open - connecting);
        string inUse = all.Fields.Int32(pool, "_maxHttp11Connections") is > 0 and < int.MaxValue and var most
            ? FormattableString.Invariant($"{used} of {most} in use") : FormattableString.Invariant($"{used} in use");
        return WaitText.Join(inUse, connecting > 0 ? FormattableString.Invariant($"{connecting} being opened") : null);
    }

    private void Build()
    {
        if (_isBuilt)
            return;
        _isBuilt = true;
        foreach (HeapObject pool in all.Library.Of(LibraryObject.HttpPool))
        {
            foreach (string queue in Queues)
                Add(pool, queue);
        }
    }

    // A ring of pairs: a request and its waiter. Those whose request has gone on are left in it.
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
                if (all.Library.LayoutOf(waiter)?.Kind == LibraryObject.HttpWaiter && !all.Fields.IsCompleted(all.Fields.Follow(waiter, "_task")))
                    _places.TryAdd(waiter.Address, (pool, queue, ++count));
            }
        }
        _counts[(pool.Address, queue)] = count;
    }
}
