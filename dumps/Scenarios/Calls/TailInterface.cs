// The user must see every frame: an interface with one implementation leads to that one, although a tail await leaves no
// continuation of it in optimised code.
using Scenarios.Support;

namespace Scenarios.Calls;

[Scenario("tail awaits through interfaces with one implementation, as services have them")]
public static class TailInterface
{
    private interface IHerbGarden
    {
        Task<int> CutHerbsAsync(Trail t);
    }

    private interface IHerbDealer
    {
        Task<int> SellHerbsAsync(Trail t);
    }

    public static async Task Run(Trail t) => await CookAsync(t.At(), new Dealer(new Garden()));

    private static async Task<int> CookAsync(Trail t, IHerbDealer dealer)
    {
        int bunches = await dealer.SellHerbsAsync(t.At());
        return bunches + 1;
    }

    private sealed class Dealer(IHerbGarden garden) : IHerbDealer
    {
        public async Task<int> SellHerbsAsync(Trail t) => await garden.CutHerbsAsync(t.At());
    }

    private sealed class Garden : IHerbGarden
    {
        private int _beds = 8;

        public async Task<int> CutHerbsAsync(Trail t) => await WalkAsync(t.At());

        private async Task<int> WalkAsync(Trail t)
        {
            await t.At().Gate;
            return _beds--;
        }
    }
}
