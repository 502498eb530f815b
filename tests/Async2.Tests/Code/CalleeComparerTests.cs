using Async2.Analysis.Code.Awaits;
using Async2.Analysis.Code.Modules;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Code;

public sealed class CalleeComparerTests
{
    [Theory]
    [InlineData("call Shop.A.Pay", "Shop.A.Pay", true)]
    [InlineData("call Shop.A.Pay", "Shop.B.Pay", false)]
    [InlineData("call Shop.A.Pay", "Shop.A.Ship", false)]
    [InlineData("call Shop.A+B.Pay", "Shop.A+B.Pay", true)]
    // Through an object: any body of that name.
    [InlineData("virtual Shop.IPay.Pay", "Shop.Card.Pay", true)]
    [InlineData("other Shop.IPay.Pay", "Shop.Card.Pay", true)]
    [InlineData("constrained Shop.IPay.Pay", "Shop.Card.Pay", true)]
    [InlineData("virtual Shop.IPay.Pay", "Shop.Card.PayTwice", false)]
    [InlineData("virtual Shop.IPay.Pay", "Shop.Card.Repay", false)]
    // Nobody can say what a delegate calls.
    [InlineData("delegate System.Action.Invoke", "System.Action.Invoke", false)]
    // A task that was there before is awaited by the runtime's helper, and by nothing else.
    [InlineData("value", "System.Runtime.CompilerServices.AsyncHelpers.Await", true)]
    [InlineData("value", "Shop.A.Await", false)]
    [InlineData("awaiter", "System.Runtime.CompilerServices.AsyncHelpers.AwaitAwaiter", true)]
    [InlineData("awaiter", "System.Runtime.CompilerServices.AsyncHelpers.Await", false)]
    public void An_await_can_call_what_it_names(string site, string callee, bool can)
        => Assert.Equal(can, CalleeComparer.CanCall(AwaitDrawing.Sites("6 " + site)[0], AwaitDrawing.Callee(callee)));

    [Fact]
    public void An_explicit_implementation_has_the_interface_in_its_name()
        => Assert.True(CalleeComparer.CanCall(AwaitDrawing.Sites("6 virtual Shop.IPay.Pay")[0], new CalleeName("Shop.Card", "Shop.IPay.Pay")));
}
