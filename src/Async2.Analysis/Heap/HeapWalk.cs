using System.Collections.Immutable;
using System.Runtime.CompilerServices;
using Async2.Analysis.Families;
using Async2.Analysis.Families.Contract;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Model;
using Async2.Analysis.Nodes;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Memory;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Heap;

/// <summary>
/// One linear pass over the heap that fills the <see cref="HeapIndex"/>: segments are walked as raw bytes, side by side where the
/// target's memory lies in this process.
/// </summary>
internal sealed class HeapWalk(Target target, StateMachineLayouts machines, LayoutFacts facts, ProblemLog problems)
{
    private const int NamelessShare = 100;

    // Below this, a collection takes longer than its memory is worth.
    private const long BytesToReturn = 32 * 1024 * 1024;
    private static string Fix => "write a full dump with " + HostCommands.Current.CollectDump("PID");

    private readonly HeapTypeReader _reader = new(target, facts);
    private readonly SiteTable _sites = new();
    private bool _complete = true;

    /// <summary>Which tasks to keep besides those that matter.</summary>
    public KeptTasks Kept { get; init; } = KeptTasks.None;

    /// <summary>Walks all segments; a cancelled walk returns what it has, marked incomplete.</summary>
    public HeapIndex Run(Action<double, long> progress, CancellationToken cancellation)
    {
        if (!target.Runtime.Heap.CanWalkHeap)
            Incomplete(ProblemCodes.HeapIncomplete, "a garbage collection was in progress, so the heap could not be walked reliably: try again, or with another dump");
        HeapRange[] segments = Segments();
        ulong total = 1;
        foreach (HeapRange segment in segments)
            total += segment.Walked;
        var gaps = HeapGaps.Of(target.Runtime.Heap, target.Memory.PointerSize);
        CallerThread? caller = target.Origin.IsHosted ? new() : null;
        var types = new HeapTypes(caller is null ? _reader.Describe : table => Describe(table, caller));
        TargetMemory memory = caller is null ? target.Memory : target.Memory.Through(caller);
        SegmentWalk NewWalk() => new(memory, types, new AsyncObjectReader(_reader, _sites) { Kept = Kept }, gaps, cancellation);
        List<SegmentRows> rows = new SegmentPasses(NewWalk, target.Memory.Image is not null, caller).Run(segments, (bytes, objects) => progress((double)bytes / total, objects));
        var damage = new HeapDamage(NewWalk(), target.Origin.IsStill, gaps.Exhausted, cancellation);
        for (int i = 0; i < segments.Length; i++)
        {
            foreach (HeapRange broken in rows[i].Broken)
                damage.WalkRest(broken.Start, broken.End, rows.Add);
        }
        if (cancellation.IsCancellationRequested)
            _complete = false;
        else
            CheckWalked(total, rows, damage);
        return Index(rows, cancellation);
    }

    private HeapType? Describe(ulong methodTable, CallerThread caller)
    {
        HeapType? described = null;
        caller.Ask(() => described = _reader.Describe(methodTable));
        return described;
    }

    private HeapRange[] Segments()
    {
        var sound = new List<HeapRange>();
        foreach (ClrSegment segment in target.Runtime.Heap.Segments)
        {
            if (segment.Start == 0 && segment.Length > 0)
                Incomplete(ProblemCodes.HeapIncomplete, "a segment of the heap begins at address 0: its description is damaged");
            // A segment of a dump cannot be longer than the file.
            else if (target.Origin.DumpPath is { } path && segment.Length > (ulong)new FileInfo(path).Length)
                Incomplete(ProblemCodes.HeapIncomplete, "a segment of the heap is longer than the whole dump: its description is damaged", segment.Start);
            else if (segment.End > segment.Start)
                sound.Add(RangeOf(segment));
        }
        sound.Sort((a, b) => a.Start.CompareTo(b.Start));
        return [.. sound];
    }

    // Of what was not copied as a whole it is known where async objects lie.
    private HeapRange RangeOf(ClrSegment segment)
        => new(segment.Start, segment.End) { Parts = target.Origin.Copy?.Old?.Find(segment.Start) is { FirstObject: var first } old && first == segment.Start ? old.Parts : null };

    private HeapIndex Index(List<SegmentRows> rows, CancellationToken cancellation)
    {
        foreach (string name in _reader.UnknownShapes)
            Incomplete(ProblemCodes.UnknownLayout, $"{name} has other fields than in any runtime that this version knows: its objects are not read");
        if (_reader.Continuation is { } continuation)
        {
            foreach (Problem difference in LayoutDifferences.Of(facts, AsyncLayoutParts.Continuation, continuation.Metadata))
                problems.Add(difference);
        }
        foreach (ulong cut in ColumnPart<ulong>.Join(rows, r => r.Cut))
            Incomplete(ProblemCodes.UnreadableMemory, "an async object lies in memory that could not be read", cut);
        var context = new FamilyContext(target.Memory, facts, _reader.ChainOwner, _sites, problems);
        ImmutableArray<IFamilyReader> families = [.. AsyncFamilies.All.Select(family => family.Open(context)).OfType<IFamilyReader>()];
        PendingRows pending = Pending(rows, families);
        var layout = new RuntimeLayout(_reader.Task, _reader.Continuation) { ChainOwner = _reader.ChainOwner, Facts = facts };
        List<FrameRows> frames = [.. rows];
        foreach (FamilyChains found in families.Select(family => family.Chains(pending.Owners, cancellation)).OfType<FamilyChains>())
        {
            frames.AddRange(found.Rows);
            pending.Join(found.Chains);
            _complete &= found.IsWhole;
            layout = layout with { OwnedFrames = found.Layout };
        }
        rows.Sort((a, b) => a.FirstAddress.CompareTo(b.FirstAddress));
        frames.Sort((a, b) => a.FirstAddress.CompareTo(b.FirstAddress));
        TaskRow[] tasks = Kept.Of(ColumnPart<TaskRow>.Join(rows, r => r.Tasks));
        ulong[] resources = ColumnPart<ulong>.Join(rows, r => r.Resources), capturing = ColumnPart<ulong>.Join(rows, r => r.Capturing);
        TimerStamp[] timers = ColumnPart<TimerStamp>.Join(rows, r => r.Timers);
        bool hasLocals = !_complete || rows.Exists(segment => segment.LocalValues > 0);
        FrameColumns continuations = FrameColumns.Join(frames, _sites, new SavedReader(target.Memory, layout.Continuation).Read);
        rows.Clear();
        frames.Clear();
        ReturnMemory(continuations.Count * (long)(sizeof(ulong) + sizeof(int) + sizeof(int)));
        HeapIndex index = pending.ToIndex(layout, continuations, resources, capturing, tasks, _complete);
        (index.Timers, index.HasLocalValues) = (timers, hasLocals);
        return index;
    }

    // The rows of a million tasks are not kept twice.
    private PendingRows Pending(List<SegmentRows> rows, ImmutableArray<IFamilyReader> families)
    {
        int count = ColumnPart<PendingObject>.Total(rows, r => r.Pending);
        var pending = new PendingRows(target.Memory, machines, families, count);
        for (int i = 0; i < rows.Count; i++)
        {
            foreach (ColumnPart<PendingObject> part in rows[i].Pending)
                pending.Take(part.Rows);
            rows[i] = rows[i] with { Pending = [] };
        }
        ReturnMemory(count * (long)Unsafe.SizeOf<PendingObject>());
        return pending;
    }

    // The walk needs as much memory as its result; without this, the process would keep it until its end.
    private static void ReturnMemory(long bytes)
    {
        if (bytes > BytesToReturn)
            GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
    }

    private void CheckWalked(ulong total, List<SegmentRows> rows, HeapDamage damage)
    {
        long objects = target.Origin.Copy?.Old?.Objects ?? 0, nameless = 0;
        foreach (SegmentRows segment in rows)
            (objects, nameless) = (objects + segment.Objects, nameless + segment.Nameless);
        string lacking = target.Origin.IsDump ? $"; the dump lacks memory that is needed (made by gcore, or with a coredump_filter?): {Fix}" : "";
        if (objects == 0)
            Incomplete(ProblemCodes.DumpIncomplete, $"the target has no heap (a mini or triage dump?), so no stack can be found: {Fix}");
        else if (damage.Skipped > 0)
            Incomplete(ProblemCodes.HeapIncomplete, FormattableString.Invariant($"{damage.Skipped:N0} of {total:N0} bytes of the heap could not be walked, and stacks in them are missing{lacking}"));
        if (damage.First is { } first)
            Incomplete(ProblemCodes.HeapIncomplete, $"at least one object is damaged: the heap is skipped from there to the next valid object{lacking}", first);
        // Types generated at run time may have no name for valid reasons; they are few.
        if (nameless > objects / NamelessShare)
            Incomplete(ProblemCodes.HeapIncomplete, FormattableString.Invariant($"the types of {nameless:N0} of {objects:N0} objects have no name, so async objects among them may be missed{lacking}"));
    }

    private void Incomplete(string code, string text, ulong? address = null)
    {
        _complete = false;
        problems.Add(code, text, address);
    }
}
