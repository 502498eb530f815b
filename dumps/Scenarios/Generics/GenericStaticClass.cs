// The user must see the static method of a generic class; for reference types the class is a hidden argument.
using Scenarios.Support;

namespace Scenarios.Generics;

[Scenario("static methods of a generic static class")]
public static class GenericStaticClass
{
    public static Task Run(Trail t) => Task.WhenAll(
        Catalogue<string>.FindAsync(t.Fork("string"), "salt"),
        Catalogue<long>.FindAsync(t.Fork("long"), 7L));

    private static class Catalogue<TKey>
        where TKey : notnull
    {
        private static readonly Dictionary<TKey, int> Pages = [];

        public static async Task<int> FindAsync(Trail t, TKey key)
        {
            int page = await OpenAsync(t.At(), key);
            return Pages[key] + page;
        }

        private static async Task<int> OpenAsync(Trail t, TKey key)
        {
            await t.At().Gate;
            lock (Pages) Pages[key] = 1;
            return Pages.Count;
        }
    }
}
