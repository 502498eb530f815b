// The user must see the catch block whose filter matched, not the first one of that type.
using Scenarios.Support;

namespace Scenarios.Errors;

[Scenario("await in a catch block chosen by an exception filter")]
public static class ExceptionFilter
{
    public static Task Run(Trail t) => Task.WhenAll(
        ChargeAsync(t.Fork("declined"), 51),
        ChargeAsync(t.Fork("unreachable"), 91),
        ChargeAsync(t.Fork("other"), 5));

    private static async Task<int> ChargeAsync(Trail t, int code)
    {
        try
        {
            await t.At().Step;
            throw new CardException(code);
        }
        catch (CardException card) when (card.Code == 51)
        {
            return -await ExplainAsync(t.At());
        }
        catch (CardException card) when (IsTemporary(card))
        {
            return card.Code + await ExplainAsync(t.At());
        }
        catch (CardException)
        {
            return await ExplainAsync(t.At()) * 2;
        }
    }

    private static bool IsTemporary(CardException card) => card.Code > 90;

    private static async Task<int> ExplainAsync(Trail t)
    {
        await t.At().Gate;
        return 1;
    }

    private sealed class CardException(int code) : Exception("card refused")
    {
        public int Code { get; } = code;
    }
}
