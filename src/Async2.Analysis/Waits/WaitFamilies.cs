using Async2.Analysis.Code.Modules;
using Async2.Analysis.Layouts;
using Async2.Analysis.Targets;
using Async2.Analysis.Waits.Blocking;
using Async2.Analysis.Waits.Faults;
using Async2.Analysis.Waits.Libraries;
using Async2.Analysis.Waits.Operations;
using Async2.Analysis.Waits.Pool;
using Async2.Analysis.Waits.Reading;
using Async2.Analysis.Waits.Resuming;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits;

/// <summary>All families of waits, in order: the first that knows an object's type reads it. A new one is its file and its line here.</summary>
internal static class WaitFamilies
{
    private static readonly Row[] All =
    [
        Row.Of<TimerWaits>(),
        Row.Of<SemaphoreWaits>(),
        Row.Of<ChannelWaits>(),
        Row.Of<OlderChannelWaits>(),
        Row.Of<SocketWaits>(),
        Row.Of<PipeWaits>(),
        Row.Of<FileWaits>(),
        Row.Of<PromiseWaits>(),
        Row.Of<HttpPoolWaits>(),
        Row.Of<KestrelWaits>(),
        Row.Of<ForEachWaits>(),
        Row.Of<DataflowWaits>(),
        Row.Of<RedisWaits>(),
        Row.Of<NpgsqlWaits>(),
        Row.Of<SignalRWaits>(),
        Row.Of<SqliteWaits>(),
        Row.Of<ObservableWaits>(),
        Row.Of<RateLimiterWaits>(),
        Row.Of<ForwardingWaits>(), // before state machines and sources: these are looked through
        Row.Of<ProcessWaits>(), // before state machines: it is one
        Row.Of<StateMachineWaits>(),
        Row.Of<SourceWaits>(),
        Row.Of<FSharpWaits>(),
        Row.Of<PlainTaskWaits>(), // after whatever derives from Task
        Row.Of<OtherWaits>(), // the rest
        Row.Of<MonitorReader>(), // from here on what threads block on only
        Row.Of<LockReader>(),
        Row.Of<CallbackReader>(),
        Row.Of<EventReader>(),
    ];

    /// <summary>What they say of themselves.</summary>
    public static WaitTable Table { get; } = new([.. All.SelectMany(row => row.Names)], [.. All.SelectMany(row => row.Objects)]);

    /// <summary>Whether the walk over the heap notes objects of a type.</summary>
    public static bool IsResource(ClrType type, int pointerSize)
        => Array.Exists(All, row => row.IsResource(type, pointerSize)) || EndpointNames.Endpoint.Fits(type) || HolderLayout.Of(type, pointerSize) is not null
            || FSharpAsyncLayout.KindOf(type) != FSharpAsyncKind.None || ResumptionReader.IsResource(type, pointerSize) || PoolObjects.IsResource(type) || FaultReader.IsResource(type);

    /// <summary>What all of them use to read a target.</summary>
    public static WaitReaderContext ContextOf(Target target, LoadedModules modules, WaitResources resources) => WaitReaderContext.Of(target, modules, resources, Table);

    /// <summary>Readers of one target, in order, each with the objects of libraries that it reads.</summary>
    public static IReadOnlyList<(IWaitReader Reader, IReadOnlyList<LibraryObject> Objects)> Open(WaitReaderContext all) => [.. All.Select(row => (row.Open(all), row.Objects))];

    private sealed record Row(
        IReadOnlyList<KnownWait> Names, IReadOnlyList<LibraryObject> Objects, Func<ClrType, int, bool> IsResource, Func<WaitReaderContext, IWaitReader> Open)
    {
        public static Row Of<T>()
            where T : IWaitFamily<T>
        {
            IReadOnlyList<LibraryObject> objects = T.Objects;
            return new(T.Names, objects, (type, pointerSize) => T.IsResource(type, pointerSize) || objects.Any(item => item.Fits(type)), all => T.Open(all));
        }
    }
}
