// The user must see the right line in a frame that carries more than twenty locals over the await, of every layout:
// bytes, pointers, structs with and without references.
using Scenarios.Support;

namespace Scenarios.Locals;

[Scenario("more than twenty locals of all kinds live across the await")]
public static class ManyLocals
{
    private struct Line
    {
        public string Goods;
        public int Pieces;
        public object? Note;
    }

    public static async Task Run(Trail t)
    {
        string bill = await BillAsync(t.At(), 5, "Ada", 0.19m);
        GC.KeepAlive(bill);
    }

    private static async Task<string> BillAsync(Trail t, int number, string customer, decimal tax)
    {
        int pieces = number * 2;
        long grams = 1L << 40;
        double price = number / 3.0;
        float discount = 0.5f;
        byte shelf = (byte)number;
        short lane = -3;
        char category = 'q';
        bool isPaid = number > 3;
        string address = customer + " Street";
        DateTime day = DateTime.UnixEpoch.AddDays(number);
        TimeSpan due = TimeSpan.FromDays(14);
        DateTimeOffset printed = new(day, TimeSpan.Zero);
        Guid id = new(number, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
        int? voucher = number == 5 ? 17 : null;
        DateTime? shipped = null;
        (int Page, string Book) entry = (number, "ledger");
        List<string> goods = ["bread", "milk"];
        int[] counts = [1, 2, 3];
        var line = new Line { Goods = "salt", Pieces = 4, Note = goods };
        var half = (Half)1.5;
        nint handle = number;
        Int128 barcode = Int128.MaxValue;
        object boxed = number;
        Func<int> later = () => counts.Length;

        int answer = await PrintAsync(t.At());

        return $"{number}{customer}{tax}{pieces}{grams}{price}{discount}{shelf}{lane}{category}{isPaid}{address}{day}{due}" +
            $"{printed}{id}{voucher}{shipped}{entry}{goods.Count}{line.Goods}{line.Pieces}{line.Note}{half}{handle}{barcode}" +
            $"{boxed}{later()}{answer}";
    }

    private static async Task<int> PrintAsync(Trail t)
    {
        await t.At().Gate;
        return 1;
    }
}
