// The user must see DisposeAsync waiting, called from the end of the scope. That await has a hidden sequence point only,
// so its line is the last visible one before it: the last statement of the scope.
using Scenarios.Support;

namespace Scenarios.Streams;

[Scenario("implicit DisposeAsync at the end of the scope of an await using declaration")]
public static class AwaitUsingDeclaration
{
    public static async Task Run(Trail t)
    {
        t.Note("WorkAsync awaits DisposeAsync behind a hidden sequence point");
        int doors = await WorkAsync(t.At());
        GC.KeepAlive(doors);
    }

    private static async Task<int> WorkAsync(Trail t)
    {
        int doors = 0;
        {
            await using var shop = new Shop();
            doors += await shop.OpenAsync(t.At());
            shop.Trail = t.At(site: 2); }
        return doors;
    }

    private sealed class Shop : IAsyncDisposable
    {
        private int _doors;

        public Trail? Trail { get; set; }

        public async Task<int> OpenAsync(Trail t)
        {
            await t.At().Step;
            return ++_doors;
        }

        public async ValueTask DisposeAsync()
        {
            await Trail!.At().Gate;
            _doors--;
        }
    }
}
