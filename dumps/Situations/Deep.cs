namespace Situations;

/// <summary>One chain of very many tasks, each awaited by the next.</summary>
public static class Deep
{
    public static void Start(int depth)
    {
        Task<int> inner = InnermostAsync();
        for (int i = 0; i < (depth == 0 ? 200_000 : depth); i++)
            inner = WrapAsync(inner);
        Marks.Keep(inner);
    }

    private static async Task<int> InnermostAsync()
    {
        await new TaskCompletionSource().Task.At("innermost");
        return 1;
    }

    private static async Task<int> WrapAsync(Task<int> inner)
    {
        int value = await inner.At("wrap");
        return value + 1;
    }
}
