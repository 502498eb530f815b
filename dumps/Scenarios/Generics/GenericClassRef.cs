// The user must see the instance method of a generic class over reference types; the type argument is known from `this`.
using Scenarios.Support;

namespace Scenarios.Generics;

[Scenario("instance methods of a generic class over reference types")]
public static class GenericClassRef
{
    public static Task Run(Trail t) => Task.WhenAll(
        new Shelf<string>("salt").FillAsync(t.Fork("string")),
        new Shelf<int[]>([1]).FillAsync(t.Fork("array")));

    private sealed class Shelf<T>(T goods)
        where T : class
    {
        private T? _top;

        public async Task<T> FillAsync(Trail t)
        {
            T put = await PutAsync(t.At());
            _top = put;
            return put;
        }

        private async Task<T> PutAsync(Trail t)
        {
            await t.At().Gate;
            return _top ?? goods;
        }
    }
}
