using Async2.Analysis.Code.Modules;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Targets;
using Async2.Analysis.Waits.Libraries;
using Async2.Analysis.Waits.Operations;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits;

/// <summary>
/// Says of an awaited object why it has not happened yet. The first family that knows an object's type reads it; an object that
/// only stands for another one (WaitAsync, a task over a value task source, a framework's own async method) is followed.
/// </summary>
internal sealed class WaitFactsReader
{
    private const int HopLimit = 16;

    private readonly Target _target;
    private readonly Dictionary<ulong, WaitStepReader?> _readers = [];
    private readonly IReadOnlyList<IWaitFamily> _families;
    private readonly PromiseOwners _owners;

    /// <param name="target">What is read.</param>
    /// <param name="modules">Its modules.</param>
    /// <param name="resources">What the heap has of semaphores, pools and the like.</param>
    /// <param name="whole">Long texts such as SQL are given whole, not only their first line.</param>
    public WaitFactsReader(Target target, LoadedModules modules, WaitResources resources, bool whole = false)
    {
        _target = target;
        WaitReaderContext all = WaitReaderContext.Of(target, modules, resources) with { Whole = whole };
        _owners = new PromiseOwners(all);
        _families =
        [
            new TimerWaits(all),
            new SemaphoreWaits(all),
            new ChannelWaits(all),
            new OlderChannelWaits(all),
            new SocketWaits(all),
            new PipeWaits(all),
            new PromiseWaits(all),
            new HttpPoolWaits(all),
            new ForwardingWaits(all), // before state machines and sources: these are looked through
            new StateMachineWaits(all),
            new SourceWaits(all),
            new FSharpWaits(all),
            new PlainTaskWaits(all), // after whatever derives from Task
            new OtherWaits(all), // the rest
        ];
    }

    /// <summary>Null when the object is no more than its type, or cannot be read.</summary>
    /// <param name="awaited">Address of a task or value task source.</param>
    public WaitFacts? Read(ulong awaited)
    {
        WaitFacts? facts = null;
        bool isTransparent = false;
        for (int hop = 0; hop < HopLimit && awaited != 0; hop++)
        {
            // Who completes a promise knows more of it than the promise does.
            if (_owners.Of(awaited) is { } owned)
                return Join(facts, owned, isTransparent);
            if (ReaderAt(awaited) is not { } reader)
                break;
            WaitStep step = reader(awaited);
            facts = Join(facts, step.Facts, isTransparent);
            isTransparent = step.IsTransparent;
            awaited = step.Behind;
        }
        return facts;
    }

    // An outer object that has something to say of its own keeps its name; what is behind it follows.
    private static WaitFacts? Join(WaitFacts? outer, WaitFacts? inner, bool isTransparent)
    {
        if (outer is null || inner is null)
            return outer ?? inner;
        if (isTransparent)
            return inner with { Own = WaitText.Join(outer.Own, inner.Own) };
        string? behind = WaitText.Join(inner.What, inner.State);
        return outer with
        {
            State = WaitText.Join(outer.State, behind is null ? null : "for " + behind),
            Own = WaitText.Join(outer.Own, inner.Own),
            Resource = outer.Resource != 0 ? outer.Resource : inner.Resource,
        };
    }

    private WaitStepReader? ReaderAt(ulong address)
    {
        if (!MethodTables.TryRead(_target.Memory, address, out ulong methodTable))
            return null;
        if (!_readers.TryGetValue(methodTable, out WaitStepReader? reader))
            _readers[methodTable] = reader = TypeLookup.Of(_target.Runtime, methodTable) is { } type ? Find(type) : null;
        return reader;
    }

    private WaitStepReader? Find(ClrType type) => _families.Select(f => f.ReaderOf(type)).FirstOrDefault(r => r is not null);
}
