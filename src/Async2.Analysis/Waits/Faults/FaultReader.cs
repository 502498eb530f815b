using System.Buffers.Binary;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Threads;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Faults;

/// <summary>A task that has failed, and of whose exception nobody has heard.</summary>
/// <param name="Task">Its address.</param>
/// <param name="Exception">Type of the exception, without its namespace.</param>
/// <param name="Message">What it says; null if that is not known.</param>
/// <param name="Frames">Where it was thrown, and what it went through, innermost first.</param>
/// <param name="IsOfService">It is the body of a service of the generic host, which knows of it, and at most logs it.</param>
internal sealed record Fault(ulong Task, string Exception, string? Message, IReadOnlyList<ThreadFrame> Frames, bool IsOfService = false);

/// <summary>
/// Reads failures that nobody has observed: a failed task has a holder of its exceptions, which notes whether somebody has asked for them
/// (System.Private.CoreLib of .NET 8 to 10.0.12). Holders of tasks that are garbage count, too, until they are collected.
/// </summary>
/// <param name="all">The target's objects.</param>
internal sealed class FaultReader(WaitReaderContext all)
{
    private const string Holder = "System.Threading.Tasks.TaskExceptionHolder";

    // More are told by nobody one by one.
    private const int FaultLimit = 1000;
    private const int FrameLimit = 1000;
    private const int TextLimit = 200;
    private const int ItemLimit = 10_000;

    // StackFrameArray of coreclr: a count and others, then frames of an address, a stack pointer, a method and flags.
    private const int HeaderSize = 16;
    private const int FrameSize = 32;

    // From a list to its array to a task.
    private const int Distance = 3;

    private readonly ReferenceMaps _references = new(all.Target.Memory);
    private HashSet<ulong>? _tasks;

    /// <summary>The walk over the heap notes them.</summary>
    public static bool IsResource(ClrType type) => type.Name == Holder || HostedServiceLayout.IsBackground(type);

    /// <summary>All of them, in address order of their holders.</summary>
    public IReadOnlyList<Fault> Read()
    {
        var faults = new List<Fault>();
        var services = new List<ulong>();
        // There may be a million resources, of a few types.
        var known = new Dictionary<ulong, bool>();
        foreach (ulong address in all.Resources.Addresses)
        {
            HeapObject holder = all.At(address);
            ulong methodTable = holder.MethodTable();
            if (!known.TryGetValue(methodTable, out bool isService))
                known[methodTable] = isService = TypeLookup.Of(all.Target.Runtime, methodTable) is { } type && HostedServiceLayout.IsBackground(type);
            if (isService)
                services.Add(address);
            if (NameOf(address) == Holder && faults.Count < FaultLimit && Read(holder) is { } fault)
                faults.Add(fault);
        }
        foreach (ulong address in services)
        {
            if (faults.Count < FaultLimit && OfService(address) is { } fault && !faults.Exists(other => other.Task == fault.Task))
                faults.Add(fault);
        }
        _tasks = [.. faults.Select(fault => fault.Task)];
        return faults;
    }

    /// <summary>The failed tasks to which an object refers, itself or by lists and arrays.</summary>
    public IEnumerable<ulong> HeldBy(ulong address) => _tasks is not { Count: > 0 } ? [] : HeldBy(address, Distance);

    private IEnumerable<ulong> HeldBy(ulong address, int distance)
    {
        foreach (ulong reference in ReferencesOf(address))
        {
            if (_tasks!.Contains(reference))
                yield return reference;
            else if (distance > 0 && NameOf(reference) is { } name && (name.StartsWith("System.Collections.", StringComparison.Ordinal) || name.EndsWith("[]", StringComparison.Ordinal)))
            {
                foreach (ulong held in HeldBy(reference, distance - 1))
                    yield return held;
            }
        }
    }

    // By default the host ends with it; it goes on if it is told to ignore that.
    private Fault? OfService(ulong address)
        => all.Fields.Follow(all.At(address), HostedServiceLayout.Started, "m_contingentProperties", "m_exceptionsHolder") is { Address: not 0 } holder && Describe(holder, all.Fields.Follow(holder, "m_task")) is { } fault
            ? fault with { IsOfService = true } : null;

    private Fault? Read(HeapObject holder)
    {
        HeapObject task = all.Fields.Follow(holder, "m_task");
        return all.Fields.OffsetOf(holder, "m_isHandled") is not { } handled || holder.Byte(handled) is not 0 || task.Address == 0 || !HasRun(task) ? null : Describe(holder, task);
    }

    private Fault? Describe(HeapObject holder, HeapObject task)
    {
        HeapObject list = all.Fields.Follow(holder, "m_faultExceptions", "_items");
        if (list.Address == 0 || list.Length() == 0)
            return null;
        HeapObject exception = all.Fields.Follow(all.At(list.Reference(ArrayLayout.FirstElement(list.Memory))), "_exception");
        return all.Fields.TypeOf(exception) is { } type && all.Fields.OffsetOf(exception, "_stackTrace") is not null
            ? new(task.Address, type, Shortened(all.Fields.Text(exception, "_message")), FramesOf(all.Fields.Follow(exception, "_stackTrace")))
            : null;
    }

    // What completes a promise knows that it has failed: that concerns those who wait for it, and often nobody does.
    private bool HasRun(HeapObject task)
        => NameOf(task.Address) is { } name && all.Fields.Int32(task, "m_stateFlags") is { } flags
            && ((name != TaskLayout.TypeName && !name.StartsWith(TaskLayout.TypeName + "<", StringComparison.Ordinal)) || PlainTaskLayout.HasRun(flags));

    private static string? Shortened(string? message)
    {
        string? line = message?.Split('\r', '\n')[0];
        return line is { Length: > TextLimit } ? line[..TextLimit] + "..." : line;
    }

    private ThreadFrame[] FramesOf(HeapObject trace)
    {
        // With frames of code that can be unloaded, the array is the first of several objects.
        if (trace.Address != 0 && NameOf(trace.Address) == "System.Object[]")
            trace = all.At(trace.Length() > 0 ? trace.Reference(ArrayLayout.FirstElement(trace.Memory)) : 0);
        if (trace.Address == 0 || NameOf(trace.Address) is not ("System.SByte[]" or "System.Byte[]") || trace.Length() < HeaderSize)
            return [];
        byte[] bytes = new byte[Math.Min(trace.Length() ?? 0, HeaderSize + (FrameLimit * FrameSize))];
        if (trace.Memory.PointerSize != sizeof(ulong) || trace.Memory.ReadUpTo(trace.Address + (ulong)ArrayLayout.FirstElement(trace.Memory), bytes) != bytes.Length)
            return [];
        ulong count = BinaryPrimitives.ReadUInt64LittleEndian(bytes);
        var frames = new List<ThreadFrame>();
        for (ulong i = 0; i < count && HeaderSize + ((i + 1) * FrameSize) <= (ulong)bytes.Length; i++)
        {
            ulong pointer = BinaryPrimitives.ReadUInt64LittleEndian(bytes.AsSpan(HeaderSize + ((int)i * FrameSize)));
            if (pointer != 0 && all.Modules.Describe(all.Target.Runtime.GetMethodByInstructionPointer(pointer)) is { Facts: not null } method)
                frames.Add(new(pointer, IsInnermost: false, method));
        }
        return [.. frames];
    }

    private string? NameOf(ulong address) => TypeLookup.Of(all.Target.Runtime, all.At(address).MethodTable())?.Name;

    private IEnumerable<ulong> ReferencesOf(ulong address)
    {
        HeapObject item = all.At(address);
        if (address == 0 || NameOf(address) is not { } name)
            return [];
        return (name.EndsWith("[]", StringComparison.Ordinal) ? ArrayLayout.ReadReferences(all.Target.Memory, address, ItemLimit)
            : _references.Of(item.MethodTable()).Offsets.Select(item.Reference)).Where(reference => reference != 0);
    }
}
