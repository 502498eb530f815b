// The user must see the instance method of a struct; a suspended frame holds a copy of it, because a reference into
// somebody's frame cannot wait.
using Scenarios.Support;

namespace Scenarios.Calls;

[Scenario("instance methods of a struct and of a readonly struct")]
public static class StructMethod
{
    public static async Task Run(Trail t)
    {
        var purse = new Purse { Coins = 5, Owner = "Ada" };
        int coins = await purse.CountAsync(t.At());
        GC.KeepAlive(coins);
    }

    private struct Purse
    {
        public int Coins;
        public string Owner;

        public async Task<int> CountAsync(Trail t)
        {
            Coins++;
            int notes = await new Notes(3).CountAsync(t.At());
            return Coins + notes + Owner.Length;
        }
    }

    private readonly struct Notes(int pieces)
    {
        private readonly int _pieces = pieces;

        public async ValueTask<int> CountAsync(Trail t)
        {
            await t.At().Gate;
            return _pieces * 10;
        }
    }
}
