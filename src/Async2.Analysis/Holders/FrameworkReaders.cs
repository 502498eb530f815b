using System.Runtime.InteropServices;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Holders;

/// <summary>
/// Objects of frameworks that have a channel, or its reader: their code is not read here, and may do anything with it, such as a hub that streams a channel to its client. The heap is
/// searched for the addresses, since which types have such fields takes much longer to find out.
/// </summary>
/// <param name="target">The target.</param>
/// <param name="modules">Tells frameworks from the program.</param>
/// <param name="mailboxes">Knows the ends of channels.</param>
/// <param name="delegates">What delegates call.</param>
internal sealed class FrameworkReaders(Target target, LoadedModules modules, Mailboxes mailboxes, DelegateTargets delegates)
{
    private const int Piece = 1 << 20;

    // More are searched for one by one for too long.
    private const int MostChannels = 16;

    // Of a box, its struct.
    private const string StateMachine = "StateMachine";

    // Who was waiting is told by the thread pool that the wait is over.
    private const string QueuedWork = "System.Threading.QueueUserWorkItemCallback", OfChannels = "System.Threading.Channels.AsyncOperation";

    // What belongs to a channel; and what keeps what the program has made, and reads nothing.
    private static readonly string[] Harmless = ["System.Threading.Channels.", "System.Collections.", "Microsoft.Extensions.DependencyInjection."];

    /// <summary>Those that some have; all if that is not known.</summary>
    /// <param name="channels">Addresses of channels.</param>
    public IReadOnlyList<ulong> Of(IReadOnlyList<ulong> channels)
    {
        if (!target.Origin.CanSearchHeap() || channels.Count > MostChannels || target.Memory.PointerSize != sizeof(ulong))
            return channels;
        (ulong Address, ulong Channel)[] sought = [.. channels.SelectMany(channel => mailboxes.ReadersOf(channel).Prepend(channel).Select(end => (end, channel)))];
        var found = new HashSet<ulong>();
        byte[] bytes = new byte[Piece];
        foreach (ClrSegment segment in target.Runtime.Heap.Segments)
        {
            for (ulong at = segment.ObjectRange.Start; at < segment.ObjectRange.End; at += Piece)
            {
                int read = target.Memory.ReadUpTo(at, bytes.AsSpan(0, (int)Math.Min(Piece, segment.ObjectRange.End - at)));
                Search(MemoryMarshal.Cast<byte, ulong>(bytes.AsSpan(0, read)), at, sought, found);
            }
        }
        return [.. found];
    }

    private void Search(ReadOnlySpan<ulong> words, ulong start, (ulong Address, ulong Channel)[] sought, HashSet<ulong> found)
    {
        foreach ((ulong address, ulong channel) in sought.Where(one => !found.Contains(one.Channel)))
        {
            for (int next = 0; next < words.Length && words[next..].IndexOf(address) is >= 0 and var hit; next += hit + 1)
            {
                if (MayRead(target.Runtime.Heap.FindPreviousObjectOnSegment(start + ((ulong)(next + hit) * sizeof(ulong)), carefully: true)))
                    found.Add(channel);
            }
        }
    }

    private bool MayRead(ClrObject item)
    {
        if (item is not { IsValid: true, Type: { Module: { } module, IsArray: false, Name: { } name } type } || !modules.Of(module).IsFramework || IsHarmless(name))
            return false;
        if (DelegateTargets.IsDelegate(type))
            return delegates.MethodOf(item.Address) is not { } method || (method.Module.IsFramework && !IsHarmless(method.Facts.DeclaringType.FullName));
        // A box is the framework's, and what is in it may be the program's.
        return type.GetFieldByName(StateMachine) is not { Type.Module: { } inner } || modules.Of(inner).IsFramework;
    }

    private static bool IsHarmless(string type) => Array.Exists(Harmless, prefix => type.StartsWith(prefix, StringComparison.Ordinal)) || (type.StartsWith(QueuedWork, StringComparison.Ordinal) && type.Contains(OfChannels, StringComparison.Ordinal));
}
