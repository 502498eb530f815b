// The user must see the static method of the type argument.
using Scenarios.Support;

namespace Scenarios.Calls;

[Scenario("await of a static abstract interface member")]
public static class StaticAbstract
{
    private interface IBranch
    {
        static abstract Task<int> CountAsync(Trail t);
    }

    public static Task Run(Trail t) => Task.WhenAll(
        AuditAsync<Harbour>(t.Fork("class")),
        AuditAsync<Station>(t.Fork("struct")));

    private static async Task<int> AuditAsync<TBranch>(Trail t)
        where TBranch : IBranch
    {
        int coins = await TBranch.CountAsync(t.At());
        return coins - 1;
    }

    private sealed class Harbour : IBranch
    {
        public static async Task<int> CountAsync(Trail t)
        {
            await t.At().Gate;
            return 40;
        }
    }

    private struct Station : IBranch
    {
        public static async Task<int> CountAsync(Trail t)
        {
            await t.At().Gate;
            return 50;
        }
    }
}
