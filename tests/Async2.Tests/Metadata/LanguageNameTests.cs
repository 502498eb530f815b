using Async2.Analysis.Metadata.Names;

namespace Async2.Tests.Metadata;

public sealed class LanguageNameTests
{
    [Theory]
    [InlineData("payAsync@12", "payAsync")]
    [InlineData("pay@42-1", "pay")]
    [InlineData("pay@", null)]
    [InlineData("@12", null)]
    [InlineData("pay@12-", null)]
    [InlineData("mail@shop", null)]
    [InlineData("payAsync", null)]
    public void A_type_of_FSharp_is_named_after_its_binding_and_line(string type, string? name)
        => Assert.Equal(name, GeneratedName.FSharpName(type));

    [Theory]
    [InlineData("VB$StateMachine_5_PayAsync", "PayAsync")]
    [InlineData("VB$StateMachine___Lambda$__0", "lambda")]
    [InlineData("_Lambda$__3-0", "lambda")]
    [InlineData("payAsync@12", "payAsync")]
    public void Names_from_other_compilers_are_readable(string raw, string name)
        => Assert.Equal(name, GeneratedName.ReadableMethod(raw, "Shop", isSpecial: false));

    [Theory]
    [InlineData("start@75", "Invoke", "start.lambda")]
    [InlineData("_Closure$__2-0", "_Lambda$__0", "lambda")]
    public void Methods_of_closures_are_lambdas(string type, string method, string name)
        => Assert.Equal(name, GeneratedName.MemberOfHiddenType(type, method));
}
