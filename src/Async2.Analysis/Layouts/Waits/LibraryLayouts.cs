using Async2.Analysis.Layouts.Types;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts.Waits;

/// <summary>What an object of a library is to those who wait.</summary>
internal enum LibraryObject
{
    /// <summary>A request in the queue of a pool of HTTP connections.</summary>
    HttpWaiter,
    HttpPool,

    /// <summary>What bodies of Parallel.ForEachAsync share.</summary>
    ForEach,

    /// <summary>The half of a dataflow block that takes items.</summary>
    BlockTarget,

    /// <summary>The half of a dataflow block that gives items.</summary>
    BlockSource,
    BlockSend,
    BlockReceive,
    RedisMessage,
    RedisConnection,
    NpgsqlPool,
    NpgsqlConnector,
    ObservableTask,

    /// <summary>A route of ASP.NET Core with its handler.</summary>
    Endpoint,
}

/// <summary>
/// Objects of libraries that know what a wait is about, by the names of their types. Who waits does not point to them, so the walk
/// over the heap notes them. Seen in System.Net.Http, System.Threading.Tasks.Parallel, System.Threading.Tasks.Dataflow and
/// ASP.NET Core 10.0.12, Npgsql 9.0.3, StackExchange.Redis 1.2.6, System.Reactive 6.0.1.
/// </summary>
/// <param name="Kind">What it is.</param>
/// <param name="Task">Fields that lead to the task that it completes; none when it completes none.</param>
internal sealed record LibraryLayout(LibraryObject Kind, IReadOnlyList<string> Task)
{
    private const string Dataflow = "System.Threading.Tasks.Dataflow.";

    private static readonly string[] Own = ["_task"];

    private static readonly (string Prefix, LibraryLayout Layout)[] Table =
    [
        ("System.Net.Http.HttpConnectionWaiter<", new(LibraryObject.HttpWaiter, Own)),
        ("System.Threading.Tasks.Parallel+SyncForEachAsyncState<", new(LibraryObject.ForEach, Own)),
        ("System.Threading.Tasks.Parallel+AsyncForEachAsyncState<", new(LibraryObject.ForEach, Own)),
        ("System.Threading.Tasks.Parallel+ForEachState<", new(LibraryObject.ForEach, Own)), // Parallel.ForAsync
        (Dataflow + "Internal.TargetCore<", new(LibraryObject.BlockTarget, ["_completionSource", "_task"])),
        (Dataflow + "Internal.SourceCore<", new(LibraryObject.BlockSource, ["_completionTask", "_task"])),
        (Dataflow + "DataflowBlock+SendAsyncSource<", new(LibraryObject.BlockSend, Own)),
        (Dataflow + "DataflowBlock+ReceiveTarget<", new(LibraryObject.BlockReceive, Own)),
        ("System.Reactive.Threading.Tasks.TaskObservableExtensions+ToTaskObserver<", new(LibraryObject.ObservableTask, ["_tcs", "_task"])),
    ];

    private static readonly Dictionary<string, LibraryLayout> Exact = new(StringComparer.Ordinal)
    {
        ["System.Net.Http.HttpConnectionPool"] = new(LibraryObject.HttpPool, []),
        ["StackExchange.Redis.PhysicalConnection"] = new(LibraryObject.RedisConnection, []),
        ["Npgsql.PoolingDataSource"] = new(LibraryObject.NpgsqlPool, []),
        ["Npgsql.Internal.NpgsqlConnector"] = new(LibraryObject.NpgsqlConnector, []),
        ["Microsoft.AspNetCore.Routing.RouteEndpoint"] = new(LibraryObject.Endpoint, []),
    };

    private static readonly LibraryLayout Message = new(LibraryObject.RedisMessage, ["resultBox", "stateOrCompletionSource", "_task"]);

    /// <summary>Null for a type of no library that is known here.</summary>
    public static LibraryLayout? Of(ClrType type)
    {
        if (type.Name is not { } name || name.EndsWith(']'))
            return null;
        if (Exact.TryGetValue(name, out LibraryLayout? exact))
            return exact;
        foreach ((string prefix, LibraryLayout layout) in Table)
        {
            if (name.StartsWith(prefix, StringComparison.Ordinal) && !name.EndsWith("+<>c", StringComparison.Ordinal))
                return layout;
        }
        return name.StartsWith("StackExchange.Redis.", StringComparison.Ordinal) && BaseTypes.Find(type, "StackExchange.Redis.Message") is not null ? Message : null;
    }
}
