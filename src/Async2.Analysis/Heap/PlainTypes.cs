using System.Runtime.InteropServices;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Processes;

namespace Async2.Analysis.Heap;

/// <summary>
/// Types that are nothing to async code, of the process that was read last: most of a heap are objects of these, and asking the runtime for their names was a sixth
/// of a look. A method table stays what it is until its module is unloaded, so types of modules that can be unloaded are not kept, and what begins with other bytes
/// than it did is another one.
/// </summary>
/// <param name="owner">The program that they are of.</param>
/// <param name="names">Names by which types were distinguished.</param>
internal sealed class PlainTypes((int Pid, ProcessIdentity Identity) owner, string names)
{
    // A program that makes types all the time is not followed for ever.
    private const int Limit = 200_000;

    // enum_flag_Collectible of MethodTable::m_dwFlags (coreclr 8 to 11, src/coreclr/vm/methodtable.h).
    private const uint Collectible = 0x0020_0000;

    private static readonly object Gate = new();
    private static PlainTypes? _last;

    private readonly Dictionary<ulong, (Head Head, HeapType Type)> _types = [];

    /// <summary>Those of a target's program; null of anything but a process that is copied, or will be.</summary>
    /// <param name="target">The target.</param>
    /// <param name="names">Names by which types are distinguished.</param>
    public static PlainTypes? Of(Target target, string names)
    {
        if (target.Origin is not ({ Copy.IsLive: false } or { IsToBeCopied: true }) || target.Origin.View is not { Pid: var pid, Identity: { } identity } || target.Memory.PointerSize != sizeof(ulong))
            return null;
        lock (Gate)
            return _last = _last is { } last && last.IsOf((pid, identity), names) ? last : new((pid, identity), names);
    }

    /// <summary>Whether these are of that program.</summary>
    public bool IsOf((int Pid, ProcessIdentity Identity) program, string told) => owner == program && names == told;

    /// <summary>The type, if it is known and still there.</summary>
    public bool TryGet(in Head head, ulong methodTable, out HeapType type)
    {
        lock (_types)
        {
            bool known = _types.TryGetValue(methodTable, out (Head Head, HeapType Type) entry) && entry.Head == head;
            type = entry.Type;
            return known;
        }
    }

    /// <summary>Keeps a type if it is one to keep.</summary>
    public void Add(in Head head, HeapType type)
    {
        if (!type.IsPlain || (head.Flags & Collectible) != 0)
            return;
        lock (_types)
        {
            if (_types.Count < Limit)
                _types[type.MethodTable] = (head, type);
        }
    }

    /// <summary>The first 32 bytes of a method table: flags, size, token, base class and module.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal readonly record struct Head(uint Flags, uint BaseSize, ulong Token, ulong Parent, ulong Module)
    {
        /// <summary>Of the method table at an address; null if that cannot be read.</summary>
        public static Head? At(Target target, ulong methodTable)
        {
            Span<Head> head = stackalloc Head[1];
            return target.Memory.TryRead(methodTable, MemoryMarshal.AsBytes(head)) ? head[0] : null;
        }
    }
}
