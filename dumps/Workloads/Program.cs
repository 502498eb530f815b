using System.Globalization;

namespace Workloads;

/// <summary>
/// Builds one big workload, says <c>frames N</c> and <c>ready PID</c>, and stands still until standard input closes. With
/// <c>--heartbeat</c> a thread counts how long it was kept from running; the lines <c>reset</c> and <c>gap</c> ask it.
/// Main is no async method: it would be one more logical stack.
/// </summary>
public static class Program
{
    private const string Usage = "Workloads chains COUNT DEPTH | deep DEPTH | mixed COUNT DEPTH | crowd OBJECTS | heap MEGABYTES FRAMES | shop COUNT STEPS | held async|classic   [--heartbeat]";

    public static int Main(string[] args)
    {
        string[] words = args.Where(word => word != "--heartbeat").ToArray();
        if (Start(words) is not { } frames)
        {
            Console.Error.WriteLine(Usage);
            return 2;
        }
        Heartbeat? heartbeat = args.Length > words.Length ? new Heartbeat() : null;
        Say($"frames {frames}");
        Say($"ready {Environment.ProcessId}");
        while (Console.In.ReadLine() is { } line)
        {
            if (line == "reset") heartbeat?.Reset();
            if (line is "reset" or "gap") Say(string.Create(CultureInfo.InvariantCulture, $"gap {heartbeat?.LongestGap.TotalMilliseconds ?? 0:F3}"));
        }
        Environment.Exit(0);
        return 0;
    }

    private static long? Start(string[] words) => words switch
    {
        ["chains", var count, var depth] => Chains.Start(int.Parse(count), int.Parse(depth)),
        ["deep", var depth] => Chains.StartDeep(int.Parse(depth)),
        ["mixed", var count, var depth] => Mixed.Start(int.Parse(count), int.Parse(depth)),
        ["shop", var count, var steps] => Shop.Start(int.Parse(count), int.Parse(steps)),
        ["held", "async"] => HeldPlaces.Start(),
        ["held", "classic"] => Classic.HeldPlaces.Start(),
        ["heap", var megabytes, var frames] => Ballast.Start(long.Parse(megabytes), int.Parse(frames)),
        ["crowd", var objects] => Crowd.Start(int.Parse(objects)),
        _ => null,
    };

    private static void Say(string line)
    {
        Console.Out.WriteLine(line);
        Console.Out.Flush();
    }
}
