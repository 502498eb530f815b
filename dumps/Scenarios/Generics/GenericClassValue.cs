// The user must see the instance method of a generic class over value types, with code per instantiation.
using Scenarios.Support;

namespace Scenarios.Generics;

[Scenario("instance methods of a generic class over value types")]
public static class GenericClassValue
{
    public static Task Run(Trail t) => Task.WhenAll(
        new Shelf<int>(1).FillAsync(t.Fork("int")),
        new Shelf<DateTime>(DateTime.UnixEpoch).FillAsync(t.Fork("DateTime")),
        new Shelf<(string, int)>(("salt", 2)).FillAsync(t.Fork("tuple")));

    private sealed class Shelf<T>(T goods)
        where T : struct
    {
        private T _top;

        public async Task<T> FillAsync(Trail t)
        {
            T put = await PutAsync(t.At());
            _top = put;
            return put;
        }

        private async ValueTask<T> PutAsync(Trail t)
        {
            await t.At().Gate;
            return goods;
        }
    }
}
