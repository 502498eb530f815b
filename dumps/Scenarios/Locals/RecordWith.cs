// The user must see the line of the `with` expression whose value is awaited: the copy is made before, and waits.
using Scenarios.Support;

namespace Scenarios.Locals;

[Scenario("await inside a with expression of a record struct and of a record class")]
public static class RecordWith
{
    private readonly record struct Price(decimal Net, string Currency);

    private sealed record Label(string Text, Price Price);

    public static Task Run(Trail t) => Task.WhenAll(
        RaiseAsync(t.Fork("struct"), 1),
        RaiseAsync(t.Fork("class"), 2));

    private static async Task<int> RaiseAsync(Trail t, int stop)
    {
        var price = new Price(1.50m, "EUR");
        var label = new Label("salt", price);
        Price raised = price with { Net = await AskAsync(t.At(), price, stop == 1) };
        Label renewed = label with { Price = raised with { Net = await AskAsync(t.At(), raised, stop == 2) } };
        return (int)(renewed.Price.Net + price.Net);
    }

    private static async Task<decimal> AskAsync(Trail t, Price price, bool isLast)
    {
        await t.At().GateIf(isLast);
        return price.Net * 1.1m;
    }
}
