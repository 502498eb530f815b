// The user must see the event handler as the root of a stack: nobody awaits an async void method, and it stays a state
// machine in a runtime-async build. Who waits for the order it will bring is a stack of its own.
using Scenarios.Support;

namespace Scenarios.Contexts;

[Scenario("an async void event handler that waits")]
public static class AsyncVoidHandler
{
    public static async Task Run(Trail t)
    {
        var shop = new Shop(t.Fork("handler"));
        shop.Enter();
        t.Rest("TaskCompletionSource");
        t.At(); int pieces = await shop.Order.Task;
        GC.KeepAlive(pieces);
    }

    private sealed class Shop
    {
        private readonly Trail _trail;

        public Shop(Trail t)
        {
            _trail = t;
            Doorbell += OnDoorbell;
        }

        private event EventHandler? Doorbell;

        public TaskCompletionSource<int> Order { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public void Enter() => Doorbell?.Invoke(this, EventArgs.Empty);

        private async void OnDoorbell(object? sender, EventArgs e)
        {
            int pieces = await ServeAsync(_trail.At(kind: FrameKind.AsyncVoid));
            Order.SetResult(pieces);
        }

        private static async Task<int> ServeAsync(Trail t)
        {
            await t.At().Gate;
            return 2;
        }
    }
}
