namespace Server;

/// <summary>Brings one situation of a server about, says "ready PID", and stands still until standard input closes. See dumps/README.md.</summary>
public static class Program
{
    private static readonly Dictionary<string, Func<string, Task>> All = new()
    {
        ["idle"] = Idle.StartAsync,
        ["requests"] = Requests.StartAsync,
        ["httpPool"] = HttpPools.StartAsync,
        ["http2"] = HttpPools.StartHttp2Async,
        ["npgsql"] = Npgsqls.StartAsync,
        ["redis"] = Redises.StartAsync,
        ["blocking"] = Blocking.StartAsync,
        ["forEach"] = Bodies.StartForEachAsync,
        ["dataflow"] = Bodies.StartDataflowAsync,
        ["services"] = Services.StartAsync,
        ["controllers"] = Controllers.StartAsync,
        ["startup"] = Startups.StartAsync,
        ["stops"] = Stops.StartAsync,
        ["selfCalls"] = SelfCalls.StartAsync,
        ["crawler"] = Crawlers.StartAsync,
        ["limits"] = Limits.StartAsync,
        ["lostLeases"] = LostLeases.StartAsync,
        ["rx"] = Bodies.StartRxAsync,
        ["loaded"] = Loads.StartLoadedAsync,
        ["starved"] = Loads.StartStarvedAsync,
        ["orders"] = Orders.StartAsync,
        ["broadcasts"] = Broadcasts.StartAsync,
        ["hubCalls"] = HubCalls.StartAsync,
        ["hostRun"] = Loads.StartRunAsync,
    };

    public static int Main(string[] args)
    {
        if (args.Length == 0 || !All.TryGetValue(args[0], out Func<string, Task>? start))
        {
            Console.Error.WriteLine("one of: " + string.Join(", ", All.Keys) + ", and for a database where it is");
            return 2;
        }
        start(args.Length > 1 ? args[1] : "").Wait();
        Console.Out.WriteLine(Marks.ToJson());
        Console.Out.WriteLine($"ready {Environment.ProcessId}");
        Console.Out.Flush();
        while (Console.In.ReadLine() is { } line)
        {
            // All that is alive is old then.
            if (line == "tidy")
                GC.Collect(2, GCCollectionMode.Forced, blocking: true, compacting: true);
        }
        Environment.Exit(0);
        return 0;
    }
}
