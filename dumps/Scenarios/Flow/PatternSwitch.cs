// The user must see the case whose `when` came true after the scrutinee itself was awaited, or the `when` that awaits.
using Scenarios.Support;

namespace Scenarios.Flow;

[Scenario("a switch over an awaited value with patterns and when clauses")]
public static class PatternSwitch
{
    private abstract record Goods;

    private sealed record Fruit(int Grams) : Goods;

    private sealed record Book(string Title) : Goods;

    public static Task Run(Trail t) => Task.WhenAll(
        SellAsync(t.Fork("scrutinee"), null),
        SellAsync(t.Fork("heavy fruit"), new Fruit(2000)),
        SellAsync(t.Fork("light fruit"), new Fruit(100)),
        SellAsync(t.Fork("when"), new Book("?")),
        SellAsync(t.Fork("book"), new Book("Pippi")));

    private static async Task<int> SellAsync(Trail t, Goods? goods)
    {
        switch (await ScanAsync(t.At(), goods))
        {
            case Fruit { Grams: > 1000 } fruit when fruit.Grams % 2 == 0:
                return fruit.Grams - await BagAsync(t.At());
            case Fruit fruit:
                return fruit.Grams + await BagAsync(t.At());
            case Book book when await IsInStockAsync(t.At(), book):
                return book.Title.Length * await BagAsync(t.At());
            default:
                return 0;
        }
    }

    private static async Task<Goods?> ScanAsync(Trail t, Goods? goods)
    {
        await t.At().GateIf(goods is null);
        return goods;
    }

    private static async Task<bool> IsInStockAsync(Trail t, Book book)
    {
        await t.At().GateIf(book.Title == "?");
        return book.Title.Length > 0;
    }

    private static async Task<int> BagAsync(Trail t)
    {
        await t.At().Gate;
        return 1;
    }
}
