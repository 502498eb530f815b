namespace TaskletFixture;

/// <summary>A thread executes a frame whose callers are tasklets still; its own tasklet is linked to them as long as it does.</summary>
internal static class Running
{
    public static void Start(Truth truth) => new Resumed().Start(truth, "running", spins: true);
}
