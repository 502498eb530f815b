using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Threads;

/// <summary>What a thread that resumes a chain of .NET 11 notes about it.</summary>
/// <param name="NextContinuation">Continuation of the running method's caller; 0 if that is the outermost.</param>
/// <param name="Task">The chain's task; 0 if it is not noted.</param>
internal readonly record struct Dispatcher(ulong NextContinuation, ulong Task);

/// <summary>
/// Finds dispatchers: the thread has a list of them, innermost first, and each is in the stack frame that created it.
/// </summary>
internal sealed class DispatcherReader(Target target, LayoutFacts facts)
{
    // One for each chain that a thread resumes while it resumes another.
    private const int ListLimit = 10_000;

    private readonly Dictionary<ulong, DispatcherLayout?> _layouts = [];

    /// <summary>The one in a frame; null if the thread has none there.</summary>
    /// <param name="thread">The thread.</param>
    /// <param name="frame">Frame of the method that resumes.</param>
    public Dispatcher? In(ClrThread thread, WalkedFrame frame)
    {
        if (frame.Frame.Method.Method.Type.Module is not { } module || LayoutIn(module) is not { } layout)
            return null;
        ulong address = layout.Current.GetAddress(thread) is not 0 and var current && target.Memory.TryReadPointer(current, out ulong first) ? first : 0;
        var met = new HashSet<ulong>();
        while (address != 0 && met.Count < ListLimit && met.Add(address))
        {
            if (address >= frame.StackPointer && address < frame.StackEnd)
                return Read(address, layout);
            if (!target.Memory.TryReadPointer(address + (ulong)layout.Next, out address))
                return null;
        }
        return null;
    }

    private Dispatcher? Read(ulong address, DispatcherLayout layout)
    {
        ulong task = 0;
        if (layout.CurrentTask >= 0)
            target.Memory.TryReadPointer(address + (ulong)layout.CurrentTask, out task);
        return target.Memory.TryReadPointer(address + (ulong)layout.NextContinuation, out ulong next) ? new(next, task) : null;
    }

    private DispatcherLayout? LayoutIn(ClrModule module)
    {
        if (!_layouts.TryGetValue(module.Address, out DispatcherLayout? layout))
            _layouts[module.Address] = layout = DispatcherLayout.In(module, facts);
        return layout;
    }
}
