// The user must see the async method behind a property, an indexer and an operator; those themselves are no frames,
// because none of them can be async.
using Scenarios.Support;

namespace Scenarios.Calls;

[Scenario("await of a property, an indexer and an operator that return tasks")]
public static class AwaitProperty
{
    public static Task Run(Trail t) => Task.WhenAll(
        new Ledger().ReadAsync(t.Fork("property")),
        new Ledger().ReadFirstAsync(t.Fork("indexer")),
        Ledger.MergeAsync(t.Fork("operator")));

    private sealed class Ledger
    {
        private Trail? _trail;

        private Task<int> Total => SumAsync(_trail!, 2);

        private Task<int> this[int page] => SumAsync(_trail!, page);

        public static Task<int> operator +(Ledger a, Ledger b) => a.SumAsync(a._trail!, b.GetHashCode() & 1);

        public async Task<int> ReadAsync(Trail t)
        {
            _trail = t.At(); int total = await Total;
            return total + 1;
        }

        public async Task<int> ReadFirstAsync(Trail t)
        {
            _trail = t.At(); int first = await this[0];
            return first + 1;
        }

        public static async Task<int> MergeAsync(Trail t)
        {
            Ledger a = new(), b = new();
            a._trail = t.At(); int sum = await (a + b);
            return sum + 1;
        }

        private async Task<int> SumAsync(Trail t, int pages)
        {
            await t.At().Gate;
            return pages;
        }
    }
}
