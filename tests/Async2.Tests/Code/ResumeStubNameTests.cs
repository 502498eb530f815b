using Async2.Analysis.Code.Suspension;

namespace Async2.Tests.Code;

public sealed class ResumeStubNameTests
{
    [Theory]
    [InlineData("IL_STUB_AsyncResume_PayAsync_Tier0", "PayAsync")]
    [InlineData("IL_STUB_AsyncResume_PayAsync_Tier1OSR", "PayAsync")]
    [InlineData("IL_STUB_AsyncResume_Pay_Async_Optimized", "Pay_Async")]
    [InlineData("IL_STUB_AsyncResume_<Main>$_Tier0", "<Main>$")]
    [InlineData("IL_STUB_AsyncResume_PayAsync", "PayAsync")]
    [InlineData("IL_STUB_AsyncResume__Tier0", "_Tier0")]
    [InlineData("IL_STUB_AsyncResume_", null)]
    [InlineData("IL_STUB_PInvoke", null)]
    [InlineData("", null)]
    [InlineData(null, null)]
    public void The_method_is_determined_by_its_stub(string? stub, string? method) => Assert.Equal(method, ResumeStubName.MethodIn(stub));
}
