// The user must see the nested classes by their whole names, also where one of them is private and three deep.
using Scenarios.Support;

namespace Scenarios.Calls;

[Scenario("async methods in nested classes")]
public static class NestedClass
{
    public static async Task Run(Trail t)
    {
        int coins = await new Department().OpenAsync(t.At());
        GC.KeepAlive(coins);
    }

    public sealed class Department
    {
        private readonly Counter _counter = new(7);

        public async Task<int> OpenAsync(Trail t)
        {
            int coins = await _counter.OpenAsync(t.At());
            return coins * 2;
        }

        private sealed class Counter(int coins)
        {
            public async Task<int> OpenAsync(Trail t)
            {
                int inDrawer = await Drawer.OpenAsync(t.At(), coins);
                return inDrawer + coins;
            }

            private static class Drawer
            {
                public static async Task<int> OpenAsync(Trail t, int coins)
                {
                    await t.At().Gate;
                    return coins + 1;
                }
            }
        }
    }
}
