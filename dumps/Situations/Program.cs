namespace Situations;

/// <summary>Brings one situation about, says "ready PID", and stands still until standard input closes. See dumps/README.md.</summary>
public static class Program
{
    private static readonly Dictionary<string, Action<int>> All = new()
    {
        ["blocked"] = BlockedPool.Start,
        ["generated"] = BlockedPool.StartGenerated,
        ["running"] = Running.Start,
        ["locked"] = Locked.Start,
        ["cycle"] = Cycles.StartPair,
        ["combinator-cycle"] = Cycles.StartCombinatorCycle,
        ["diamond"] = Diamond.Start,
        ["deep"] = Deep.Start,
        ["mixed"] = Mixed.Start,
        ["named"] = Named.Start,
        ["linked"] = Linked.Start,
        ["builder"] = Builder.Start,
        ["sharing"] = Sharing.Start,
        ["leftOut"] = LeftOut.Start,
        ["hidden"] = Hidden.Start,
        ["yielding"] = Hidden.StartYielding,
        ["fresh"] = Running.StartFresh,
        ["churn"] = Churn.Start,
        ["storm"] = Storm.Start,
        ["compiling"] = Compiling.Start,
        ["beating"] = Beating.Start,
        ["healthy"] = Healthy.Start,
        ["threads"] = Blocking.Start,
        ["waited"] = Waited.Start,
        ["abba"] = Jams.StartPair,
        ["convoy"] = Jams.StartConvoy,
        ["crossed"] = Jams.StartMixed,
        ["patient"] = Jams.StartPatient,
        ["posted"] = Posted.StartContext,
        ["busy"] = Posted.StartBusy,
        ["served"] = Posted.StartShared,
        ["exclusive"] = Posted.StartScheduler,
        ["starved"] = Posted.StartStarved,
        ["stubs"] = Stubs.Start,
        ["yielded"] = Queued.StartYielded,
        ["yieldedTask"] = Queued.StartYieldedTask,
        ["returned"] = Queued.StartReturned,
        ["returnedTask"] = Queued.StartReturnedTask,
        ["listed"] = Queued.StartListed,
        ["channel"] = Queued.StartChannel,
        ["channelContext"] = Queued.StartChannelContext,
        ["channelEmpty"] = Queued.StartChannelEmpty,
        ["big"] = Big.Start,
        ["moving"] = Moving.Start,
    };

    public static int Main(string[] args)
    {
        if (args.Length == 0 || !All.TryGetValue(args[0], out Action<int>? start))
        {
            Console.Error.WriteLine("one of: " + string.Join(", ", All.Keys) + ", and perhaps a number");
            return 2;
        }
        start(args.Length > 1 ? int.Parse(args[1]) : 0);
        Console.Out.WriteLine(Marks.ToJson());
        Console.Out.WriteLine($"ready {Environment.ProcessId}");
        Console.Out.Flush();
        while (Console.In.ReadLine() is { } question)
        {
            Console.Out.WriteLine(question switch { "gap" => Beating.LongestGap(), "move" => Moving.Move(), "compiled" => Compiling.Compiled(), _ => Churn.Steps() });
            Console.Out.Flush();
        }
        Environment.Exit(0);
        return 0;
    }
}
