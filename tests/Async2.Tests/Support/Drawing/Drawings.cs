using Async2.Analysis.Model;

namespace Async2.Tests.Support.Drawing;

/// <summary>Drawings that several tests look at.</summary>
internal static class Drawings
{
    /// <summary>Three groups, as on a bad day in a shop.</summary>
    public static SnapshotDrawing Shop() => new SnapshotDrawing()
        .Stack(400, "SemaphoreSlim, 0 free, 400 waiting",
            "Shop.Payments.Gateway.ChargeAsync(int, decimal, System.Threading.CancellationToken) | /src/Payments/Gateway.cs:17",
            "Shop.Orders.PayAsync(int, decimal) | /src/Orders.cs:*42",
            "Shop.Orders.PlaceAsync(int) | /src/Orders.cs:~31",
            "Shop.Program.ServeAsync() | /src/Program.cs:12 | elided")
        .Stack(10, "channel reader",
            "Shop.Warehouse<Shop.Parcel>.PackAsync(int) | /src/Warehouse.cs:9")
        .Stack(2, StackState.Active, null,
            "Shop.Prices.Refresh() | /src/Prices.cs:88 | thread",
            "Shop.Prices.RefreshAsync()")
        .With(stack => stack with { Thread = 12, Task = 0x7f3a0000beef })
        .Problem("A2D2003", "No symbols for Vendor.dll: its frames have no source lines.")
        .Problem("A2D1001", "The continuation behind 0x7f3a00002000 could not be read.", 0x7f3a00002000);

    /// <summary>Calls itself, and calls in a pair, deeply.</summary>
    public static SnapshotDrawing Recursion(int depth) => new SnapshotDrawing().Stack(1, "Task.Delay",
    [
        "Shop.Tree.LeafAsync() | /src/Tree.cs:5",
        .. Enumerable.Repeat("Shop.Tree.WalkAsync(int) | /src/Tree.cs:9", depth),
        "Shop.Tree.StartAsync() | /src/Tree.cs:20",
        .. Enumerable.Range(0, depth).SelectMany(_ => new[] { "Shop.Ping.PingAsync() | /src/Ping.cs:1", "Shop.Pong.PongAsync() | /src/Pong.cs:2" }),
        "Shop.Program.Main() | /src/Program.cs:3",
    ]);

    /// <summary>Several groups that wait for the same.</summary>
    public static SnapshotDrawing Busy()
    {
        var drawing = new SnapshotDrawing()
            .Stack(7, "SemaphoreSlim.WaitAsync", "Shop.Payments.Gateway.ChargeAsync(int) | /src/Gateway.cs:17", "Shop.Orders.PayAsync() | /src/Orders.cs:~42");
        foreach (string step in new[] { "Pick", "Pack", "Ship", "Mail", "Bill" })
            drawing.Stack(2, "Channel.ReadAsync", $"Shop.Warehouse.{step}TheParcelsOfTheDayAsync(Shop.Parcel, int) | /src/Warehouse.cs:9", "Shop.Program.Main() | /src/Program.cs:3");
        return drawing.Stack(1, StackState.Active, null, "Shop.Prices.Refresh() | /src/Prices.cs:88 | thread").With(stack => stack with { Thread = 12 });
    }
}
