// The user must see each of 22 stacks at its own await of one big method: loops, switch, try, catch, finally and
// early returns, laid out by the optimiser as it likes. Some awaits on the way complete at once, some suspend.
using Scenarios.Support;

namespace Scenarios.Flow;

[Scenario("a big method with 22 awaits in nested control flow, one stack at each")]
public static class ManyBranches
{
    private const int Sites = 22;

    public static Task Run(Trail t) => Task.WhenAll(
        Enumerable.Range(1, Sites).Select(site => DayAsync(t.Fork($"site {site}"), site)));

    private static async Task<int> DayAsync(Trail t, int stop)
    {
        int sum = await DoAsync(t.At(), 1, stop);
        for (int hour = 0; hour < 4; hour++)
        {
            if ((hour & 1) == 0)
            {
                sum += await DoAsync(t.At(), 2, stop);
                if (hour == 2) sum ^= await DoAsync(t.At(), 3, stop);
            }
            else
            {
                switch (hour + sum % 1)
                {
                    case 1:
                        sum += await DoAsync(t.At(), 4, stop);
                        break;
                    case 3:
                        sum -= await DoAsync(t.At(), 5, stop);
                        goto case 9;
                    case 9:
                        sum -= await DoAsync(t.At(), 6, stop);
                        break;
                }
            }
            if (hour == 1) continue;
            sum += await DoAsync(t.At(), 7, stop);
        }
        try
        {
            sum += await DoAsync(t.At(), 8, stop);
            try
            {
                if (stop % 2 == 0) sum += await DoAsync(t.At(), 10, stop);
                else sum -= await DoAsync(t.At(), 9, stop);
                throw new InvalidOperationException("sold out");
            }
            catch (InvalidOperationException) when (stop != 14)
            {
                sum += await DoAsync(t.At(), 11, stop);
                if (stop is 12) sum += await DoAsync(t.At(), 12, stop);
            }
            finally
            {
                sum += await DoAsync(t.At(), 13, stop);
            }
        }
        catch (Exception soldOut)
        {
            sum += soldOut.Message.Length + await DoAsync(t.At(), 14, stop);
        }
        int left = 3;
        while (left-- > 0)
        {
            sum += await DoAsync(t.At(), 15, stop);
            for (int shelf = 0; shelf < left; shelf++)
            {
                if (shelf == 1) sum += await DoAsync(t.At(), 16, stop);
                else if (left == 1) sum -= await DoAsync(t.At(), 17, stop);
            }
        }
        if (stop == 18) return await DoAsync(t.At(), 18, stop) + sum;
        do
        {
            sum += sum > 0 ? await DoAsync(t.At(site: 19), 19, stop) : 1;
            sum = Math.Abs(sum) % 100 + 1;
            if (stop > 20) break;
            sum += await DoAsync(t.At(), 20, stop);
        }
        while (sum < 0);
        sum += await DoAsync(t.At(), 21, stop);
        return sum + await DoAsync(t.At(), 22, stop);
    }

    private static async Task<int> DoAsync(Trail t, int site, int stop)
    {
        if (site == stop) await t.At().Gate;
        else if (site % 5 == 0) await t.At().Step;
        return site;
    }
}
