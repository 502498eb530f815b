using Async2.Analysis.Layouts;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Nodes;

/// <summary>One pass over the heap that fills the <see cref="HeapIndex"/>.</summary>
internal sealed class HeapWalk
{
    private const int CancellationInterval = 0xffff;
    private const int NamelessShare = 100;

    private readonly Target _target;
    private readonly ProblemLog _problems;
    private readonly AsyncObjects _found;
    private long _objects;
    private ulong _unwalked;
    private HashSet<ulong>? _contexts;
    private ulong? _untyped;
    private bool _complete = true;

    public HeapWalk(Target target, MachineLayouts machines, ProblemLog problems)
    {
        _target = target;
        _problems = problems;
        _found = new AsyncObjects(target, machines, Incomplete);
    }

    /// <summary>Walks all segments; a cancelled walk returns what it has, marked incomplete.</summary>
    public HeapIndex Run(Action<double> progress, CancellationToken cancellation)
    {
        ClrHeap heap = _target.Runtime.Heap;
        ulong total = Math.Max(1, heap.Segments.Aggregate(0ul, (sum, s) => sum + s.Length));
        ulong done = 0;
        if (!heap.CanWalkHeap)
            Incomplete(ProblemCodes.HeapIncomplete, "a garbage collection was under way, so the heap could not be walked reliably: try again, or with another dump");
        foreach (ClrSegment segment in heap.Segments)
        {
            if (!WalkSegment(segment, cancellation))
                break;
            done += segment.Length;
            progress((double)done / total);
        }
        if (!cancellation.IsCancellationRequested)
            CheckWalked(total);
        return _found.ToIndex(_complete);
    }

    private bool WalkSegment(ClrSegment segment, CancellationToken cancellation)
    {
        // ClrMD takes 0 for "no more objects" and then for the next address, forever, in a segment that begins there.
        if (segment.Start == 0 && segment.Length > 0)
        {
            Incomplete(ProblemCodes.HeapIncomplete, "a segment of the heap says that it begins at address 0: its description is damaged");
            return true;
        }
        // What a dump has of a segment cannot be longer than the file.
        if (_target.Origin.DumpPath is { } path && segment.Length > (ulong)new FileInfo(path).Length)
        {
            Incomplete(ProblemCodes.HeapIncomplete, "a segment of the heap is said to be longer than the whole dump: its description is damaged", segment.Start);
            return true;
        }
        ulong last = 0;
        foreach (ClrObject item in segment.EnumerateObjects(carefully: true))
        {
            last = item.Address;
            if ((++_objects & CancellationInterval) == 0 && cancellation.IsCancellationRequested)
            {
                _complete = false;
                return false;
            }
            if (item.Type is { } type)
                _found.Take(item.Address, type);
            else
                _untyped ??= item.Address;
        }
        CheckReachedEnd(segment, last);
        return true;
    }

    // A segment ends with an object, or with the part of an allocation context that nothing was allocated in yet. An object that
    // reaches beyond the end has a wrong length, and what it seems to cover are really others.
    private void CheckReachedEnd(ClrSegment segment, ulong last)
    {
        ulong size = last == 0 ? 0 : Aligned(SizeOf(_target.Runtime.Heap.GetObject(last)));
        ulong start = last == 0 ? segment.Start : last;
        bool fits = size <= segment.End - start;
        ulong end = fits ? start + size : start;
        if (end < segment.End && !(fits && IsAllocationContext(end)))
            _unwalked += segment.End - end;
    }

    private bool IsAllocationContext(ulong address)
    {
        _contexts ??= [.. _target.Runtime.Heap.EnumerateAllocationContexts().Select(context => context.Start)];
        return _contexts.Contains(address);
    }

    // coreclr's DATA_ALIGNMENT: objects begin at multiples of 8.
    private static ulong Aligned(ulong size) => (size + 7) & ~7ul;

    private void CheckWalked(ulong total)
    {
        const string cure = "write a full dump with dotnet-async2 dump collect PID";
        string lacking = _target.Origin.IsDump ? $"; the dump lacks memory that is needed (made by gcore, or with a coredump_filter?): {cure}" : "";
        if (_objects == 0)
            Incomplete(ProblemCodes.DumpIncomplete, $"the target holds no heap (a mini or triage dump?), so no stack can be found: {cure}");
        else if (_unwalked > 0)
            Incomplete(ProblemCodes.HeapIncomplete, FormattableString.Invariant($"{_unwalked:N0} of {total:N0} bytes of the heap could not be walked, and stacks in them are missing{lacking}"));
        if (_untyped is { } first)
            Incomplete(ProblemCodes.HeapIncomplete, $"the type of an object (perhaps of more) could not be read: the heap is skipped from there to the next object{lacking}", first);
        // Types made at run time may have no name for honest reasons; they are few.
        if (_found.Nameless > _objects / NamelessShare)
            Incomplete(ProblemCodes.HeapIncomplete, FormattableString.Invariant($"the types of {_found.Nameless:N0} of {_objects:N0} objects have no name, so async objects may be among them unseen{lacking}"));
    }

    // The size of an object whose type is unknown cannot be asked for.
    private static ulong SizeOf(ClrObject item) => item.IsValid ? item.Size : 0;

    private void Incomplete(string code, string text, ulong? address = null)
    {
        _complete = false;
        _problems.Add(code, text, address);
    }
}
