// The user must see a frame that waits for a value task source of its own: no Task lies between it and the source.
using System.Threading.Tasks.Sources;
using Scenarios.Support;

namespace Scenarios.Waits;

[Scenario("a ValueTask over an own IValueTaskSource")]
public static class ValueTaskSource
{
    public static async Task Run(Trail t)
    {
        int coins = await PayAsync(t.At());
        GC.KeepAlive(coins);
    }

    private static async ValueTask<int> PayAsync(Trail t)
    {
        var terminal = new Terminal();
        t.Rest("IValueTaskSource", terminal.Approve, "Terminal");
        t.At(); int coins = await terminal.ReadCardAsync();
        return coins + 1;
    }

    private sealed class Terminal : IValueTaskSource<int>
    {
        private ManualResetValueTaskSourceCore<int> _core = new() { RunContinuationsAsynchronously = true };

        public ValueTask<int> ReadCardAsync() => new(this, _core.Version);

        public void Approve() => _core.SetResult(25);

        public int GetResult(short token) => _core.GetResult(token);

        public ValueTaskSourceStatus GetStatus(short token) => _core.GetStatus(token);

        public void OnCompleted(Action<object?> next, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
            _core.OnCompleted(next, state, token, flags);
    }
}
