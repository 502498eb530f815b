using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Snapshots;
using Async2.Analysis.Watching;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Watching;

/// <summary>Looks at a process that was drawn, one after the other.</summary>
internal static class WatchDrawing
{
    public const string Pay = "t1 ThunkTask -> a1 ; a1 Continuation Shop.Orders.Pay:4 -> a2 ; a2 Continuation Shop.Main:5 -> end";
    public const string Refresh = "t2 ThunkTask -> b1 ; b1 Continuation Shop.Prices.Refresh:9 -> end";

    /// <summary>Two threads that wait for each other.</summary>
    public const string Deadlock = "z1 Thread 11 Shop.Hold:1 ; z1 wants 12 ; z2 Thread 12 Shop.Hold:2 ; z2 wants 11";

    /// <summary>A thread that wants a lock which another one has.</summary>
    public const string Wanted = "z3 Thread 13 Shop.Till.Open:1 ; z3 wants 14 of lock ; z4 Thread 14 Shop.Till.Count:1";

    /// <summary>What was read at a moment.</summary>
    public static AsyncModel Model(double seconds, params string[] drawing)
    {
        AsyncModel model = TextHeap.Draw(string.Join(" ; ", drawing)).Model();
        return model with
        {
            Target = model.Target with
            {
                Kind = TargetKind.Process,
                Pid = 3754,
                ProcessName = "dotnet",
                CommandLine = "dotnet /app/Shop.dll --urls http://*:80",
                Runtime = "10.0.12",
                FreezeMs = 4.9,
                Tick = (long)(seconds * 1000),
                TakenAt = new DateTimeOffset(2026, 11, 23, 5, 12, 0, TimeSpan.Zero).AddSeconds(seconds),
            },
        };
    }

    /// <summary>Looks at it.</summary>
    public static WatchLook Look(this WatchSeries series, AsyncModel model) => series.Add(model, TestContext.Current.CancellationToken);

    public static WatchSeries Series(int length = 5) => new(new AnalysisOptions(), length);

    /// <summary>The look as the reader sends it.</summary>
    public static byte[] Bytes(AsyncModel model)
    {
        using var bytes = new MemoryStream();
        ModelWriter.Write(model, null, redacts: false, bytes);
        return bytes.ToArray();
    }
}
