namespace Situations;

/// <summary>Levels of WhenAll(x, x): as many paths as two to the power of the levels, and two nodes for each.</summary>
public static class Diamond
{
    public static void Start(int levels)
    {
        Task below = new TaskCompletionSource().Task;
        for (int i = 0; i < (levels == 0 ? 30 : levels); i++)
            below = Task.WhenAll(StepAsync(below), StepAsync(below));
        Marks.Keep(below);
    }

    private static async Task StepAsync(Task below)
    {
        await below.At("step");
        GC.KeepAlive(below);
    }
}
