// The user must see a frame that waits for an object that is its own awaiter, and knows INotifyCompletion only.
using System.Runtime.CompilerServices;
using Scenarios.Support;

namespace Scenarios.Waits;

[Scenario("a class that is its own awaiter, without the critical interface")]
public static class CustomAwaiterClass
{
    public static async Task Run(Trail t)
    {
        string name = await CallAsync(t.At());
        GC.KeepAlive(name);
    }

    private static async Task<string> CallAsync(Trail t)
    {
        var ticket = new Ticket("A 17");
        t.Rest("Ticket", release: ticket.Call);
        t.At(); string name = await ticket;
        return name + " please";
    }

    private sealed class Ticket(string name) : INotifyCompletion
    {
        private readonly Lock _guard = new();
        private Action? _continuation;

        public bool IsCompleted { get; private set; }

        public Ticket GetAwaiter() => this;

        public string GetResult() => name;

        public void OnCompleted(Action continuation)
        {
            lock (_guard)
            {
                _continuation = continuation;
                if (!IsCompleted) return;
            }
            Task.Run(continuation);
        }

        public void Call()
        {
            Action? continuation;
            lock (_guard)
            {
                IsCompleted = true;
                continuation = _continuation;
            }
            continuation?.Invoke();
        }
    }
}
