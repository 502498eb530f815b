namespace Situations;

/// <summary>A process with much memory, N megabytes (200) that are in use, and one method that waits.</summary>
public static class Big
{
    public static void Start(int count)
    {
        for (int i = 0; i < (count == 0 ? 200 : count); i++)
        {
            byte[] block = new byte[1 << 20];
            // Pages that nobody has written to are nowhere.
            Array.Fill(block, (byte)1);
            Marks.Keep(block);
        }
        Marks.Keep(WaitAsync());
    }

    private static async Task WaitAsync() => await new TaskCompletionSource().Task.At("big");
}
