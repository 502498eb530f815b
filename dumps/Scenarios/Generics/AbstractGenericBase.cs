// The user must see the template method of the abstract generic base and the override that it calls.
using Scenarios.Support;

namespace Scenarios.Generics;

[Scenario("an abstract generic base calls its override")]
public static class AbstractGenericBase
{
    public static Task Run(Trail t) => Task.WhenAll(
        new LabelPrinter().PrintAsync(t.Fork("string"), "salt"),
        new PricePrinter().PrintAsync(t.Fork("decimal"), 1.99m));

    private abstract class Printer<T>
    {
        protected int Pages { get; set; }

        public async Task<int> PrintAsync(Trail t, T document)
        {
            int length = await RenderAsync(t.At(), document);
            return length + Pages;
        }

        protected abstract Task<int> RenderAsync(Trail t, T document);
    }

    private sealed class LabelPrinter : Printer<string>
    {
        protected override async Task<int> RenderAsync(Trail t, string document)
        {
            await t.At().Gate;
            return document.Length + ++Pages;
        }
    }

    private sealed class PricePrinter : Printer<decimal>
    {
        protected override async Task<int> RenderAsync(Trail t, decimal document)
        {
            await t.At().Gate;
            return (int)document + ++Pages;
        }
    }
}
