namespace Workloads;

/// <summary>
/// A heap full of small objects that have nothing to do with async, with chains strewn in between: one suspended frame for
/// each hundred objects.
/// </summary>
public static class Crowd
{
    private const int Page = 1000;
    private const int ObjectsPerFrame = 100;
    private const int Depth = 100;

    private static object[][] pages = [];

    public static long Start(int objects)
    {
        long chains = 0;
        pages = new object[objects / Page][];
        for (int i = 0; i < pages.Length; i++)
        {
            pages[i] = Fill(i);
            if ((i + 1) * (long)Page / (Depth * ObjectsPerFrame) > chains)
            {
                Chains.StartOne(Depth);
                chains++;
            }
        }
        return chains * Depth;
    }

    private static object[] Fill(int seed)
    {
        var page = new object[Page];
        for (int i = 0; i < Page; i++)
        {
            page[i] = (i % 4) switch
            {
                0 => new Price { Amount = seed },
                1 => new Place { Row = seed, Column = i },
                2 => new Pair { First = page[i - 1], Second = page[i - 2] },
                _ => (object)(long)i,
            };
        }
        return page;
    }

    private sealed class Price
    {
        public long Amount;
    }

    private sealed class Place
    {
        public int Row;
        public int Column;
    }

    private sealed class Pair
    {
        public object? First;
        public object? Second;
    }
}
