using Async2.Analysis.Code.Modules;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Targets;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits;

/// <summary>
/// Reads why an awaited object has not completed. The first family that knows the object's type reads it. An object that
/// only stands for another one (WaitAsync, a task over a value task source, an async method of a framework) is followed.
/// </summary>
internal sealed class WaitReasonReader
{
    private const int HopLimit = 16;

    private readonly Target _target;
    private readonly Dictionary<ulong, WaitStepReader?> _readers = [];
    private readonly IReadOnlyList<IWaitReader> _families;
    private readonly PromiseOwners _owners;
    private readonly TimerReader _timers;

    /// <param name="target">What is read.</param>
    /// <param name="modules">Its modules.</param>
    /// <param name="resources">What the heap has of semaphores, pools and the like.</param>
    /// <param name="whole">Long texts such as SQL are given whole, not only their first line.</param>
    public WaitReasonReader(Target target, LoadedModules modules, WaitResources resources, bool whole = false)
    {
        _target = target;
        WaitReaderContext all = WaitFamilies.ContextOf(target, modules, resources) with { Whole = whole };
        IReadOnlyList<(IWaitReader Reader, IReadOnlyList<LibraryObject> Objects)> families = WaitFamilies.Open(all);
        _families = [.. families.Select(family => family.Reader)];
        _owners = new PromiseOwners(all, families);
        _timers = all.Timers;
    }

    /// <summary>Null if the object is no more than its type, or cannot be read.</summary>
    /// <param name="awaited">Address of a task or value task source.</param>
    public WaitReason? Read(ulong awaited) => Read(awaited, new WaitTrail());

    /// <summary>The same, with what is met on the way.</summary>
    /// <param name="awaited">Address of a task or value task source.</param>
    /// <param name="trail">Receives timers that are set, and what the object stands for.</param>
    public WaitReason? Read(ulong awaited, WaitTrail trail) => Read(awaited, HopLimit, trail, out _);

    // The recursion is bounded by a count of hops, not by data of the target. The object behind a transparent one gives the reason.
    private WaitReason? Read(ulong awaited, int hops, WaitTrail trail, out bool speaksForAll)
    {
        speaksForAll = false;
        if (hops == 0 || awaited == 0)
            return null;
        // The object that will complete a promise knows more than the promise itself.
        if (_owners.Of(awaited) is { } owned)
            return owned;
        if (ReaderAt(awaited) is not { } reader)
            return null;
        WaitStep step = reader(awaited);
        if (step.Timer != 0 && _timers.Find(step.Timer) is not 0 and var timer)
            trail.Timers.Add(timer);
        if (step.Behind != 0)
            trail.End = step.Behind;
        if (step.Behind == 0 || Read(step.Behind, hops - 1, trail, out speaksForAll) is not { } behind)
            return step.Reason;
        speaksForAll |= step.IsTransparent;
        return step.Reason is { } outer ? Join(outer, behind, speaksForAll) : behind;
    }

    // An outer object with its own facts keeps its name; the object behind it comes second.
    private static WaitReason Join(WaitReason outer, WaitReason behind, bool speaksForAll) => speaksForAll
        ? outer.Own.IsEmpty ? behind : behind with { Own = outer.Own.AddRange(behind.Own) }
        : outer with { Behind = behind, Resource = outer.Resource != 0 ? outer.Resource : behind.Resource };

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
