using Async2.Analysis.Model;

namespace Async2.Analysis.Snapshots;

/// <summary>Writes and reads who holds semaphores. A file of before that was inferred has no such part, and is read without.</summary>
internal static class HolderColumns
{
    public static void Write(HolderFacts holders, ColumnWriter columns)
    {
        columns.Count(holders.Undecided);
        columns.Count(holders.Locks.Count);
        columns.Near([.. holders.Locks.Select(row => row.Lock)]);
        foreach (LockRow row in holders.Locks)
        {
            columns.Index(row.Out);
            columns.Count(row.Free);
            columns.Byte((byte)(((int)row.Use << 1) | (row.IsMoving ? 1 : 0)));
        }
        columns.Count(holders.Rows.Count);
        columns.Near([.. holders.Rows.Select(row => row.Lock)]);
        columns.Near([.. holders.Rows.Select(row => row.Frame)]);
        columns.Near([.. holders.Rows.Select(row => row.Node)]);
        columns.Near([.. holders.Rows.Select(row => row.Place)]);
        foreach (HolderRow row in holders.Rows)
            columns.Byte((byte)(((int)row.Class << 1) | (row.IsCertain ? 1 : 0)));
    }

    /// <param name="part">The part.</param>
    /// <param name="nodes">How many operations and segments there are.</param>
    /// <param name="places">How many places of frames there are.</param>
    public static HolderFacts Read(ColumnReader part, int nodes, int places)
    {
        int undecided = part.Below(int.MaxValue);
        LockRow[] locks = [.. part.NearAddresses(part.Count()).Select(address => Lock(part, address))];
        int count = part.Count();
        ulong[] held = part.NearAddresses(count), frames = part.NearAddresses(count);
        int[] holders = part.Near(count, 0, nodes), at = part.Near(count, 0, places);
        var rows = new HolderRow[count];
        for (int i = 0; i < count; i++)
        {
            int flags = part.Byte();
            if (flags >> 1 > (int)HolderClass.Kept)
                throw part.Damaged("a kind of holder is not known");
            rows[i] = new HolderRow(holders[i], at[i], frames[i], held[i], (HolderClass)(flags >> 1), (flags & 1) != 0);
        }
        part.End();
        return new HolderFacts(rows, locks, undecided);
    }

    private static LockRow Lock(ColumnReader part, ulong address)
    {
        int taken = part.Index(int.MaxValue - 1), free = part.Below(int.MaxValue), flags = part.Byte();
        return flags >> 1 <= (int)LockUse.Iterated ? new LockRow(address, taken, free, (LockUse)(flags >> 1), (flags & 1) != 0) : throw part.Damaged("a use of a lock is not known");
    }
}
