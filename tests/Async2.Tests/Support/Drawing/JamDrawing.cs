using Async2.Analysis.Model;

namespace Async2.Tests.Support.Drawing;

/// <summary>A drawing with everything that stands around frames: locals, folded frames, cycles, who waits for whom.</summary>
internal static class JamDrawing
{
    public static SnapshotDrawing Jam() => new SnapshotDrawing()
        .Stack(398, StackState.Awaiting,
            new WaitingOn(WaitKind.Semaphore, "SemaphoreSlim.WaitAsync", 0x7f3a00001000, "System.Threading.SemaphoreSlim") { Detail = "0 free, 398 waiting" },
            "Shop.Payments.Gateway.ChargeAsync(int, decimal, System.Threading.CancellationToken) | /src/Payments/Gateway.cs:17",
            "Shop.Orders.PayAsync(int, decimal) | /src/Orders.cs:42",
            "Shop.Program.ServeAsync() | /src/Program.cs:12")
        .WithFrame(0, frame => frame with { Folded = 1 })
        .WithFrame(2, frame => frame with { Folded = 12 })
        .Locals(0, "Shop.Payments.Gateway this = {0x7f3a00005550}", "int order = 1042", "decimal amount = 12.99", "reason = null")
        .Locals(1, "string comment = \"a very long text that somebody typed into the form of the shop, and it goes on and on\"",
            "System.Collections.Generic.Dictionary<string, Shop.Payments.PaymentState> states = {0x7f3a00005558}")
        .Stack(1, StackState.Deadlocked, new WaitingOn(WaitKind.Task, "Task", 0x7f3a00002000, "System.Threading.Tasks.Task", "s2"),
            "Shop.Stock.ReserveAsync(int) | /src/Stock.cs:8",
            "Shop.Orders.CancelAsync(int) | /src/Orders.cs:77")
        .With(stack => stack with { Task = 0x7f3a00002000, AwaitedBy = ["s5"] })
        .WithFrame(1, frame => frame with { Folded = 2 })
        .Locals(0, "int item = 3")
        .Stack(1, StackState.Blocked, new WaitingOn(WaitKind.Lock, "Monitor.Enter", 0x7f3a00003000, "object") { Detail = "held by thread 4" },
            "Shop.Prices.Refresh() | /src/Prices.cs:88 | thread",
            "Shop.Prices.RefreshAsync() | /src/Prices.cs:80")
        .With(stack => stack with { Thread = 12 })
        .Stack(1, StackState.Awaiting, new WaitingOn(WaitKind.Task, "Task.WhenAll", 0x7f3a00004000) { Detail = "2 of 3 pending", Pending = ["s1", "s3"] },
            "Shop.Program.CloseTheDayAsync() | /src/Program.cs:60")
        .Stack(1, StackState.Awaiting, new WaitingOn(WaitKind.Task, "Task", 0x7f3a00002000, null, "s2"),
            "Shop.Program.WatchAsync() | /src/Program.cs:66")
        .Stack(1, StackState.Deadlocked, new WaitingOn(WaitKind.Task, "Task.WhenAll", 0x7f3a00006000) { Detail = "2 pending", Pending = ["s3", "s6"] },
            "Shop.Stock.CollectAsync() | /src/Stock.cs:30")
        .With(stack => stack with { AwaitedBy = ["s6"] });
}
