// The user must see a class nested in a generic class, with a generic method: type arguments of three owners.
using Scenarios.Support;

namespace Scenarios.Generics;

[Scenario("a generic method of a generic class nested in a generic class")]
public static class GenericNestedClass
{
    public static Task Run(Trail t) => Task.WhenAll(
        new Store<string>.Rack<int>("salt", 3).SortAsync(t.Fork("string, int, object"), new object()),
        new Store<byte>.Rack<string>(1, "top").SortAsync(t.Fork("byte, string, Guid"), Guid.Empty));

    private static class Store<TGoods>
    {
        public sealed class Rack<TPlace>(TGoods goods, TPlace place)
        {
            public async Task<int> SortAsync<TKey>(Trail t, TKey key)
            {
                int moved = await MoveAsync(t.At(), key, place);
                return moved + 1;
            }

            private async Task<int> MoveAsync<TKey, TTo>(Trail t, TKey key, TTo to)
            {
                await t.At().Gate;
                return HashCode.Combine(goods, key, to);
            }
        }
    }
}
