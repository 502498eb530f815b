namespace Workloads;

/// <summary>
/// A heap of any size with the same chains in it: caches of records with texts and numbers, as servers have them, which nobody touches any
/// more, and the chains strewn in between.
/// </summary>
public static class Ballast
{
    private const int Depth = 10;
    private const int RecordsOnPage = 1000;

    // What a record takes with all that it refers to, about.
    private const int BytesOfRecord = 256;

    private static readonly List<Entry[]> Pages = [];

    /// <param name="megabytes">Size of the heap, about.</param>
    /// <param name="frames">Suspended methods.</param>
    public static long Start(long megabytes, int frames)
    {
        long pages = (megabytes << 20) / BytesOfRecord / RecordsOnPage, chains = 0;
        for (long page = 1; page <= pages; page++)
        {
            Pages.Add(Fill(page));
            for (; chains < frames / Depth * page / pages; chains++)
                Chains.StartOne(Depth);
        }
        return chains * Depth;
    }

    private static Entry[] Fill(long page)
    {
        var entries = new Entry[RecordsOnPage];
        for (int i = 0; i < entries.Length; i++)
        {
            entries[i] = new()
            {
                Key = page * RecordsOnPage + i,
                Name = new string((char)('a' + (i % 26)), 20 + (i % 20)),
                Values = new long[4 + (i % 8)],
                Before = i == 0 ? null : entries[i - 1],
            };
        }
        return entries;
    }

    private sealed class Entry
    {
        public long Key;
        public string Name = "";
        public long[] Values = [];
        public Entry? Before;
    }
}
