using Net11Fixture.Support;

namespace Net11Fixture;

/// <summary>
/// A .NET 10 process that lays out its async objects as .NET 11 does, brings situations about, prints the truth about their stacks,
/// says "ready PID", and stands still until standard input closes. See dumps/README.md.
/// </summary>
public static class Program
{
    private static readonly (string Name, Action Start)[] All =
    [
        ("waiting", Waiting.Start),
        ("joined", Joined.Start),
        ("running", Running.Start),
        ("older", Older.Start),
        ("decoys", Decoys.Start),
        ("transition", Transition.Start),
        ("elided", Elided.Start),
        ("damaged", Damaged.Start),
    ];

    public static int Main(string[] args)
    {
        if (args.Length == 0 || args.Except(All.Select(s => s.Name)).Any())
        {
            Console.Error.WriteLine("some of: " + string.Join(", ", All.Select(s => s.Name)));
            return 2;
        }
        Shape.Check();
        foreach ((string name, Action start) in All.Where(s => args.Contains(s.Name)))
        {
            Truth.Situation = name;
            start();
        }
        Console.Out.WriteLine(Truth.ToJson());
        Console.Out.WriteLine($"ready {Environment.ProcessId}");
        Console.Out.Flush();
        while (Console.In.ReadLine() is not null)
        {
        }
        Environment.Exit(0);
        return 0;
    }
}
