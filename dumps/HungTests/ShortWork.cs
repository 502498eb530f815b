namespace HungTests;

/// <summary>What a short test computes: the same each time, some milliseconds of a processor.</summary>
public static class ShortWork
{
    private const int Steps = 2_000_000;

    private static int _kept;

    /// <summary>Computes it.</summary>
    public static void Do()
    {
        uint number = 1;
        for (int i = 0; i < Steps; i++)
            number = (number * 1_664_525) + 1_013_904_223;
        Volatile.Write(ref _kept, (int)number);
    }
}
