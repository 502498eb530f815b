// The user must see that the innermost frame waits for a TaskCompletionSource<T> that nobody completes.
using Scenarios.Support;

namespace Scenarios.Waits;

[Scenario("TaskCompletionSource<T>.Task")]
public static class CompletionSource
{
    public static async Task Run(Trail t)
    {
        string answer = await AskAsync(t.At());
        GC.KeepAlive(answer);
    }

    private static async Task<string> AskAsync(Trail t)
    {
        var answer = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
        t.Rest("TaskCompletionSource", () => answer.SetResult("yes"), "TaskCompletionSource<string>");
        t.At(); string said = await answer.Task;
        return said + "!";
    }
}
