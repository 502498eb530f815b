namespace Situations;

/// <summary>An async iterator waits for a semaphore that only its own argument knows: an object of the compiler's with that argument as a field.</summary>
public static class NamedIterator
{
    public static void Start(int count)
    {
        Marks.Keep(CountAsync(new SemaphoreSlim(0)));
        Thread.Sleep(300);
    }

    private static async Task<int> CountAsync(SemaphoreSlim turn)
    {
        int sum = 0;
        await foreach (int number in NumbersAsync(turn))
            sum += number;
        return sum;
    }

    private static async IAsyncEnumerable<int> NumbersAsync(SemaphoreSlim turn)
    {
        for (int i = 0; ; i++)
        {
            await turn.WaitAsync().At("number");
            yield return i;
        }
    }
}
