using System.Runtime.InteropServices;

namespace Async2.Analysis.Model;

/// <summary>
/// Who holds semaphores that are waited for. They have no owner; it is inferred from the code of suspended methods: what a method releases behind
/// the await at which it stands, before it acquires it again, it holds now.
/// </summary>
internal sealed class HolderFacts
{
    // Every rule asks for one lock after the other, and there may be a hundred thousand of them.
    private readonly Dictionary<ulong, LockRow> _locks = [];
    private readonly ILookup<ulong, HolderRow> _rows;

    /// <param name="rows">See <see cref="Rows"/>.</param>
    /// <param name="locks">See <see cref="Locks"/>.</param>
    /// <param name="undecided">See <see cref="Undecided"/>.</param>
    public HolderFacts(IReadOnlyList<HolderRow> rows, IReadOnlyList<LockRow> locks, int undecided)
    {
        (Rows, Locks, Undecided) = (rows, locks, undecided);
        _rows = rows.ToLookup(row => row.Lock);
        foreach (LockRow row in locks)
            _locks.TryAdd(row.Lock, row);
    }

    /// <summary>Nothing was looked for, or found.</summary>
    public static HolderFacts None { get; } = new([], [], 0);

    /// <summary>Who holds what, by lock, then node.</summary>
    public IReadOnlyList<HolderRow> Rows { get; }

    /// <summary>The locks that were looked at, by address.</summary>
    public IReadOnlyList<LockRow> Locks { get; }

    /// <summary>Frames of which it could not be told what they hold, and threads that execute code which releases something.</summary>
    public int Undecided { get; }

    /// <summary>What code says of a lock, also of those who keep it.</summary>
    public IEnumerable<HolderRow> RowsOf(ulong address) => _rows[address];

    /// <summary>More are out than the holders that were found: somebody else may give one back.</summary>
    public bool HasOthers(ulong address) => _locks.TryGetValue(address, out LockRow known) && known.Out > HoldersOf(address).Count();

    /// <summary>Fewer are out than the holders that were found: it is one of these, and nobody knows which.</summary>
    public bool IsAmbiguous(ulong address) => _locks.TryGetValue(address, out LockRow known) && known.Out >= 0 && known.Out < HoldersOf(address).Count();

    /// <summary>The holders that were found are those that have it: no more and no fewer.</summary>
    public bool AreAll(ulong address) => !HasOthers(address) && !IsAmbiguous(address);

    /// <summary>How sure it is that an operation holds a lock, and that nobody else could release it.</summary>
    public Confidence ConfidenceOf(ulong address, int node)
    {
        HolderRow row = HoldersOf(address).FirstOrDefault(row => row.Node == node);
        if (row.Lock == 0 || !_locks.TryGetValue(address, out LockRow known))
            return Confidence.Possible;
        // Without a maximum there may be holders that nobody knows.
        if (known.Out < 0)
            return row.Class == HolderClass.Always && Undecided == 0 ? Confidence.Likely : Confidence.Possible;
        if (row.IsCertain)
            return Confidence.Certain;
        // Who signals an event that counts; another one may do so more than once.
        return row.Class == HolderClass.Owed && (known.IsMoving || HasOthers(address)) ? Confidence.Possible : Confidence.Likely;
    }

    /// <summary>The operations that hold a lock.</summary>
    public IEnumerable<HolderRow> HoldersOf(ulong address) => _rows[address].Where(row => row.IsHolder);
}

/// <summary>What the code of a frame says of a lock.</summary>
internal enum HolderClass : byte
{
    /// <summary>It was acquired on every way to the await, and is released behind it.</summary>
    Always,

    /// <summary>It was acquired on some ways to the await, and is released behind it.</summary>
    Sometimes,

    /// <summary>It is released behind the await; who acquired it is not in this method.</summary>
    Owed,

    /// <summary>It was acquired, and is not released by this method: a signal, something handed over, or a leak.</summary>
    Kept,
}

/// <summary>A frame of an operation that holds a lock.</summary>
/// <param name="Node">Number of the operation.</param>
/// <param name="Place">Number of the frame's place.</param>
/// <param name="Frame">Address of the frame's object.</param>
/// <param name="Lock">Address of the lock.</param>
/// <param name="Class">What its code says.</param>
/// <param name="IsCertain">Nothing else explains what is in memory: the count of what is free agrees.</param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct HolderRow(int Node, int Place, ulong Frame, ulong Lock, HolderClass Class, bool IsCertain)
{
    /// <summary>It will release it.</summary>
    public bool IsHolder => Class != HolderClass.Kept;
}

/// <summary>A lock whose holders were looked for.</summary>
/// <param name="Lock">Its address.</param>
/// <param name="Out">How many have been taken; -1 if it has no maximum, so that nobody knows.</param>
/// <param name="Free">How many are free.</param>
/// <param name="Use">What those who wait for it do with it.</param>
/// <param name="IsMoving">Somebody who waited for it does not stand in its queue any more, and may have it already.</param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct LockRow(ulong Lock, int Out, int Free, LockUse Use, bool IsMoving);

/// <summary>What those who wait for a lock do when they have it, by their code.</summary>
internal enum LockUse : byte
{
    /// <summary>Not known.</summary>
    Unknown,

    /// <summary>All of them release it again: it is used as a lock.</summary>
    GivenBack,

    /// <summary>Some of them do not release it: it may be a signal.</summary>
    Kept,

    /// <summary>All of them release it again, and what has it is an async iterator between two elements, which no method that is suspended or runs goes on with.</summary>
    Iterated,
}
