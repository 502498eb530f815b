using Async2.Analysis.Code.Modules;
using Async2.Analysis.Metadata;

namespace Async2.Tests.Metadata;

public class MethodNameTests
{
    private static readonly FixtureModule Async = FixtureModule.Async;
    private static readonly FixtureModule Classic = FixtureModule.Classic;

    [Theory]
    [InlineData("Shop.Orders", "PayAsync", "Shop.Orders.PayAsync(int, string)")]
    [InlineData("Shop.Orders+Line", "CheckAsync", "Shop.Orders.Line.CheckAsync()")]
    [InlineData("Shop.Cache`2", "GetAsync", "Shop.Cache<TKey, TValue>.GetAsync<TItem>(TKey)")]
    [InlineData("Shop.Cache`2+Entry`1", "TouchAsync", "Shop.Cache<TKey, TValue>.Entry<TExtra>.TouchAsync(TKey, TValue, TExtra, List<TExtra>)")]
    [InlineData("Shop.Cache`2+Entry`1+Leaf", "Touch", "Shop.Cache<TKey, TValue>.Entry<TExtra>.Leaf.Touch(TExtra)")]
    [InlineData("Shop.Orders", "Pointers", "Shop.Orders.Pointers(int*, void**, delegate*<int, string>)")]
    [InlineData("Shop.Orders", "Shapes", "Shop.Orders.Shapes(int?, string[], int[,], int[][,], ref int, out string, in Guid, (int, string), " +
        "(int, int, int, int, int, int, int, int, string), List<Dictionary<string, int?>>, CancellationToken, object, nint, decimal, " +
        "List<int>.Enumerator, Orders.Line, object[])")]
    public void A_method_is_shown_as_a_C_sharp_developer_wrote_it(string type, string method, string full) =>
        Assert.Equal(full, Async.Full(type, method));

    [Theory]
    [InlineData("Shop.Orders", ".ctor", "Shop.Orders.Orders(int)")]
    [InlineData("Shop.Orders", ".cctor", "Shop.Orders..cctor()")]
    [InlineData("Shop.Orders", "get_Total", "Shop.Orders.Total.get()")]
    [InlineData("Shop.Orders", "set_Total", "Shop.Orders.Total.set(int)")]
    [InlineData("Shop.Orders", "get_Item", "Shop.Orders.Item.get(int, string)")]
    [InlineData("Shop.Orders", "add_Changed", "Shop.Orders.Changed.add(Action)")]
    [InlineData("Shop.Orders", "add_item", "Shop.Orders.add_item(int)")]
    [InlineData("Shop.Orders", "op_Addition", "Shop.Orders.operator +(Orders, Orders)")]
    [InlineData("Shop.Orders", "op_Implicit", "Shop.Orders.implicit operator(Orders)")]
    [InlineData("Shop.Money", "<Clone>$", "Shop.Money.Clone()")]
    [InlineData("Shop.<Names>F*", "RunAsync", "Shop.Hidden.RunAsync(Hidden)")]
    [InlineData("Shop.Card", "Shop.IPay.PayAsync", "Shop.Card.IPay.PayAsync(int)")]
    [InlineData("Shop.Card", "Shop.IRepo<Shop.Orders.Line>.GetAsync", "Shop.Card.IRepo<Line>.GetAsync(string)")]
    [InlineData("Shop.Card", "Shop.IRepo<System.Int32>.get_Total", "Shop.Card.IRepo<int>.Total.get()")]
    [InlineData("Program", "<Main>$", "Program.Main(string[])")]
    [InlineData("Program", "<Main>", "Program.Main(string[])")]
    public void Special_members_are_readable(string type, string method, string full) => Assert.Equal(full, Async.Full(type, method));

    [Theory]
    [InlineData("Shop.Orders+<>c", "<PayAsync>b__*", "Shop.Orders.PayAsync.lambda(int)")]
    [InlineData("Shop.Orders+<>c__DisplayClass*", "<PayAsync>b__*", "Shop.Orders.PayAsync.lambda(int)")]
    [InlineData("Shop.Orders+<>c__DisplayClass*", "<PayAsync>g__CheckCapturing*", "Shop.Orders.PayAsync.CheckCapturing(int)")]
    [InlineData("Shop.Orders+<>c__DisplayClass*", "<PayAsync>g__Inner*", "Shop.Orders.PayAsync.Inner()")]
    [InlineData("Shop.Orders", "<PayAsync>g__Check|*", "Shop.Orders.PayAsync.Check(int)")]
    [InlineData("Shop.Orders", "<Plain>g__SyncOnly|*", "Shop.Orders.Plain.SyncOnly(int)")]
    [InlineData("Shop.Orders+<>c__DisplayClass*", "<.ctor>b__*", "Shop.Orders.Orders.lambda()")]
    [InlineData("Shop.Orders", "<get_Total>b__*", "Shop.Orders.Total.get.lambda()")]
    [InlineData("Shop.Orders+Line+<>c", "<CheckAsync>b__*", "Shop.Orders.Line.CheckAsync.lambda()")]
    [InlineData("Shop.Card+<>c", "<Shop.IPay.PayAsync>b__*", "Shop.Card.IPay.PayAsync.lambda()")]
    [InlineData("Shop.Cache`2", "<GetAsync>g__Check|*", "Shop.Cache<TKey, TValue>.GetAsync.Check<TItem, TLocal>(TItem, TLocal)")]
    [InlineData("Shop.Cache`2+<>c__*", "<GetAsync>b__*", "Shop.Cache<TKey, TValue>.GetAsync<TItem>.lambda(TItem)")]
    [InlineData("Program", "<<Main>$>g__Local|*", "Program.Main.Local(int)")]
    [InlineData("Program+<>c", "<<Main>$>b__*", "Program.Main.lambda()")]
    [InlineData("Shop.Orders+<>c", ".ctor", "Shop.Orders.<>c..ctor()")]
    public void Lambdas_and_local_functions_are_named_after_the_method_around_them(string type, string method, string full) =>
        Assert.Equal(full, Async.Full(type, method));

    [Theory]
    [InlineData("Shop.Orders+<PayAsync>d__*", "Shop.Orders.PayAsync(int, string)")]
    [InlineData("Shop.Orders+Line+<CheckAsync>d__*", "Shop.Orders.Line.CheckAsync()")]
    [InlineData("Shop.Orders+<StreamAsync>d__*", "Shop.Orders.StreamAsync(int)")]
    [InlineData("Shop.Orders+<Numbers>d__*", "Shop.Orders.Numbers(int)")]
    [InlineData("Shop.Orders+<>c+<<PayAsync>b__*", "Shop.Orders.PayAsync.lambda(int)")]
    [InlineData("Shop.Orders+<<PayAsync>g__Check|*", "Shop.Orders.PayAsync.Check(int)")]
    [InlineData("Shop.Card+<Shop-IPay-PayAsync>d__*", "Shop.Card.IPay.PayAsync(int)")]
    [InlineData("Shop.Cache`2+<GetAsync>d__*", "Shop.Cache<TKey, TValue>.GetAsync<TItem>(TKey)")]
    [InlineData("Shop.Late+<FireAndForget>d__*", "Shop.Late.FireAndForget(int)")]
    [InlineData("Program+<<Main>$>d__*", "Program.Main(string[])")]
    [InlineData("Shop.<Names>F*", "Shop.Hidden.RunAsync(Hidden)")]
    public void A_state_machine_is_named_after_the_method_that_starts_it(string type, string full) =>
        Assert.Equal(full, Classic.Full(type, "MoveNext"));

    [Fact]
    public void Other_members_of_a_state_machine_show_their_method() =>
        Assert.Equal(
            "Shop.Orders.StreamAsync.MoveNextAsync()",
            Classic.Full("Shop.Orders+<StreamAsync>d__*", "System.Collections.Generic.IAsyncEnumerator<System.Int32>.MoveNextAsync"));

    [Theory]
    [InlineData(new[] { "string", "int" }, new[] { "System.Guid" }, "Shop.Cache<string, int>.GetAsync<System.Guid>(string)")]
    [InlineData(new[] { "System.Guid", "?" }, new[] { "" }, "Shop.Cache<System.Guid, TValue>.GetAsync<TItem>(Guid)")]
    [InlineData(new[] { "System.Collections.Generic.List<Shop.Money>" }, null,
        "Shop.Cache<System.Collections.Generic.List<Shop.Money>, TValue>.GetAsync<TItem>(List<Money>)")]
    public void Known_type_arguments_take_the_place_of_type_parameters(string?[] ofType, string?[]? ofMethod, string full) =>
        Assert.Equal(full, Async.Metadata.NameOf(Async.Token("Shop.Cache`2", "GetAsync"), ofType, ofMethod)!.Full);

    [Fact]
    public void Type_arguments_of_a_state_machine_are_those_of_the_type_and_then_of_the_method()
    {
        var moveNext = Classic.Token("Shop.Cache`2+<GetAsync>d__*", "MoveNext");
        Assert.Equal(
            "Shop.Cache<string, int>.GetAsync<bool>(string)",
            Classic.Metadata.NameOf(moveNext, ["string", "int", "bool"])!.Full);
    }

    [Fact]
    public void Type_arguments_of_a_closure_belong_to_the_outer_method()
    {
        var lambda = Async.Token("Shop.Cache`2+<>c__*", "<GetAsync>b__*");
        Assert.Equal(
            "Shop.Cache<string, int>.GetAsync<bool>.lambda(bool)",
            Async.Metadata.NameOf(lambda, ["string", "int", "bool"])!.Full);
    }

    [Fact]
    public void The_parts_of_a_name_can_be_asked_for()
    {
        var name = Async.Metadata.NameOf(Async.Token("Shop.Orders+<>c", "<PayAsync>b__*"))!;
        Assert.Equal(("Shop.Orders", "PayAsync.lambda", "Shop"), (name.TypeName, name.Name, name.Namespace));

        var moveNext = Classic.Token("Shop.Orders+<PayAsync>d__*", "MoveNext");
        Assert.Equal(Classic.Token("Shop.Orders", "PayAsync"), Classic.Metadata.NameOf(moveNext)!.Token);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(0x06000000)]
    [InlineData(0x06FFFFFF)]
    [InlineData(0x02000001)]
    [InlineData(-1)]
    public void A_token_that_is_not_a_method_has_no_name(int token) => Assert.Null(Async.Metadata.NameOf(token));

    [Fact]
    public void Many_threads_may_ask_at_once()
    {
        var metadata = ModuleMetadata.Open(Async.MetadataBytes)!;
        var tokens = Async.MethodTokens.ToArray();
        var names = new string[8][];
        Parallel.For(0, names.Length, i => names[i] = [.. tokens.Select(t => metadata.NameOf(t)!.Full)]);
        Assert.All(names, n => Assert.Equal(names[0], n));
    }

    [Fact]
    public void Every_method_of_the_core_library_has_a_name()
    {
        using var image = ModuleImage.OpenFile(typeof(object).Assembly.Location)!;
        var metadata = ModuleMetadata.Open(image.ReadMetadata()!)!;
        var count = 0;
        while (metadata.NameOf(0x06000001 + count) is { } name)
        {
            Assert.False(name.Full.EndsWith("(\u2026)", StringComparison.Ordinal), name.Full);
            count++;
        }

        Assert.InRange(count, 20_000, 100_000);
    }
}
