// The user must see the override of a generic virtual method: the target is looked up at run time, per instantiation.
using Scenarios.Support;

namespace Scenarios.Generics;

[Scenario("generic virtual method, called through its base")]
public static class GenericVirtualMethod
{
    public static Task Run(Trail t) => Task.WhenAll(
        StoreAsync(t.Fork("string"), new Cellar(), "wine"),
        StoreAsync(t.Fork("int"), new Cellar(), 1947));

    private static async Task<int> StoreAsync<T>(Trail t, Storage storage, T goods)
    {
        int place = await storage.PutAsync(t.At(), goods);
        return place + 1;
    }

    private abstract class Storage
    {
        public abstract Task<int> PutAsync<T>(Trail t, T goods);
    }

    private sealed class Cellar : Storage
    {
        public override async Task<int> PutAsync<T>(Trail t, T goods)
        {
            await t.At().Gate;
            return goods is string ? 1 : 2;
        }
    }
}
