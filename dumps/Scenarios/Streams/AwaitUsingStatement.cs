// The user must see the body's line, or DisposeAsync called from the end of the statement. That await has a hidden
// sequence point only, so its line is the last visible one before it; a debug build has one on the closing brace, a
// release build on the last statement, which is why they share a line here.
using Scenarios.Support;

namespace Scenarios.Streams;

[Scenario("implicit DisposeAsync at the end of an await using statement, and an await in its body")]
public static class AwaitUsingStatement
{
    public static Task Run(Trail t)
    {
        Trail dispose = t.Fork("dispose");
        dispose.Note("WorkAsync awaits DisposeAsync behind a hidden sequence point");
        return Task.WhenAll(WorkAsync(t.Fork("body"), isInBody: true), WorkAsync(dispose, isInBody: false));
    }

    private static async Task<int> WorkAsync(Trail t, bool isInBody)
    {
        int doors = 0;
        await using (var shop = new Shop())
        {
            doors += await shop.OpenAsync(t.At(), isInBody);
            shop.Trail = t.At(site: 2); }
        return doors;
    }

    private sealed class Shop : IAsyncDisposable
    {
        private int _doors;

        public Trail? Trail { get; set; }

        public async Task<int> OpenAsync(Trail t, bool isLast)
        {
            await t.At().GateIf(isLast);
            return ++_doors;
        }

        public async ValueTask DisposeAsync()
        {
            await Trail!.At().Gate;
            _doors--;
        }
    }
}
