namespace Shop;

public static class Lines
{
    // The tests count from this line: it is line 5.
    public static async Task Three(bool flag)
    {
        await Task.Delay(1);
        if (flag)
        {
            await Task.Delay(2);
        }

        await Task.WhenAll(
            Task.Delay(3),
            Task.Delay(4));
    }

    public static async Task Hidden(IAsyncEnumerable<int> items)
    {
        await foreach (var item in items)
        {
            Console.Write(item);
        }
    }

#line 200 "/build/Generated.cs"
    public static async Task Generated() => await Task.Delay(1);
#line default
}
