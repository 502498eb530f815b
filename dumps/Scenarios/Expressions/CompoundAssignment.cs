// The user must see the right line when the left side was evaluated first and spilled: array element, field, index.
using Scenarios.Support;

namespace Scenarios.Expressions;

[Scenario("a[i] += await X() and other targets evaluated before the await")]
public static class CompoundAssignment
{
    private sealed class Shelf
    {
        public int Boxes;
    }

    public static Task Run(Trail t) => Task.WhenAll(
        RestockAsync(t.Fork("element"), 1),
        RestockAsync(t.Fork("field"), 2),
        RestockAsync(t.Fork("index"), 3));

    private static async Task<int> RestockAsync(Trail t, int stop)
    {
        int[] boxes = [1, 2, 3];
        var shelf = new Shelf();
        boxes[^1] += await BringAsync(t.At(), stop == 1);
        shelf.Boxes -= boxes[0] * await BringAsync(t.At(), stop == 2);
        boxes[await BringAsync(t.At(), stop == 3)]++;
        return boxes[1] + shelf.Boxes;
    }

    private static async Task<int> BringAsync(Trail t, bool isLast)
    {
        await t.At().GateIf(isLast);
        return 1;
    }
}
