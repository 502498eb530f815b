// The user must see the element that is being awaited: in an array initialiser, a collection expression and an object
// initialiser the half-built thing is a local of the suspended frame.
using Scenarios.Support;

namespace Scenarios.Expressions;

[Scenario("awaits as elements of array, collection and object initialisers")]
public static class ArrayInitializer
{
    private sealed class Bag
    {
        public int Apples { get; init; }

        public int Pears { get; init; }
    }

    public static Task Run(Trail t) => Task.WhenAll(
        FillAsync(t.Fork("array"), 2),
        FillAsync(t.Fork("collection"), 4),
        FillAsync(t.Fork("object"), 6));

    private static async Task<int> FillAsync(Trail t, int stop)
    {
        int[] array = { await TakeAsync(t.At(site: 1), stop == 1), await TakeAsync(t.At(site: 2), stop == 2) };
        List<int> list = [await TakeAsync(t.At(site: 3), stop == 3), await TakeAsync(t.At(site: 4), stop == 4)];
        var bag = new Bag { Apples = await TakeAsync(t.At(site: 5), stop == 5), Pears = await TakeAsync(t.At(site: 6), stop == 6) };
        return array[0] + list[0] + bag.Apples - bag.Pears;
    }

    private static async Task<int> TakeAsync(Trail t, bool isLast)
    {
        await t.At().GateIf(isLast);
        return 1;
    }
}
