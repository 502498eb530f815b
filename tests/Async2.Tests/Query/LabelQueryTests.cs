using Async2.Analysis.Model;
using Async2.Analysis.Model.Labels;
using Async2.Analysis.Query;
using Async2.Analysis.Query.Answers;
using Async2.Tests.Support;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Query;

/// <summary>Stacks are found, grouped and shown by the request, the trace and the other labels that they have.</summary>
public sealed class LabelQueryTests
{
    private const string Trace = "4bf92f3577b34da6a3ce929d0e0e4736", OtherTrace = "5bf92f3577b34da6a3ce929d0e0e4737";

    private const string Shop = """
        g1 ThunkTask -> a1 ; a1 Continuation Shop.Orders.Pay:9 -> end
        g2 ThunkTask -> b1 ; b1 Continuation Shop.Orders.Pay:9 -> end
        g3 ThunkTask -> c1 ; c1 Continuation Shop.Orders.Pay:9 -> end
        g4 ThunkTask -> d1 ; d1 Continuation Shop.Orders.Pay:9 -> end
        """;

    [Theory]
    [InlineData("/orders/42", "/orders/42", true)]
    [InlineData("/ORDERS/42", "/orders/42", true)]
    [InlineData("/orders", "/orders/42", false)]
    [InlineData("/orders/*", "/orders/42", true)]
    [InlineData("/orders/*", "/orders", false)]
    [InlineData("*", "", true)]
    [InlineData("*4*", "/orders/42", true)]
    [InlineData("/o*s/*2", "/orders/42", true)]
    [InlineData("/o*s/*2", "/orders/43", false)]
    [InlineData("ab*ba", "aba", false)]
    public void A_star_stands_for_anything(string pattern, string text, bool matches) => Assert.Equal(matches, new LabelPattern(pattern).Matches(text));

    [Theory]
    [InlineData("--request /orders/7", 1)]
    [InlineData("--request /orders/*", 2)]
    [InlineData("--request GET */7", 1)]
    [InlineData("--request POST /orders/*", 1)]
    [InlineData("--request /orders/{id}", 2)]
    [InlineData("--request POST /orders/{id}", 1)]
    [InlineData("--request /orders/7?...", 1)]
    [InlineData("--request /carts", 0)]
    [InlineData("--trace 4bf9", 2)]
    [InlineData("--trace 4BF92F3577B34DA6A3CE929D0E0E4736", 2)]
    [InlineData("--trace bf92", 0)]
    [InlineData("--label Tenant", 2)]
    [InlineData("--label Shop.Tenant=t42", 1)]
    [InlineData("--label tenant=t4*", 2)]
    [InlineData("--label Tenant=", 0)]
    [InlineData("--label culture", 0)]
    [InlineData("--label ten", 0)]
    public void Filters(string filter, int stacks) => Assert.Equal(stacks, Ask(filter).Stacks.Sum(stack => stack.Count));

    [Fact]
    public void Equal_stacks_say_what_they_have_in_common()
    {
        LogicalStack group = Assert.Single(Ask("").Stacks);
        Assert.Equal((4L, 2L, 2L), (group.Count, group.Labels[0].Stacks, group.Labels[0].Values));
        string text = Rendered.Text(Ask(""));
        Assert.Contains($"\n  GET /orders/{{id}}, 2 requests, e.g. trace {Trace}, Shop.Tenant=t42\n", text);
    }

    [Theory]
    [InlineData("route", "(none) 2, GET /orders/{id} 1, POST /orders/{id} 1")]
    [InlineData("trace", "(none) 1, " + Trace + " 2, " + OtherTrace + " 1")]
    [InlineData("label:Tenant", "(none) 2, t42 1, t43 1")]
    [InlineData("label:other", "(none) 4")]
    public void Groups(string key, string sections)
    {
        StackView view = Ask("--group-by " + key);
        Assert.Equal(sections, string.Join(", ", StackSection.Of(view.Stacks, GroupKey.Parse("--group-by", key)).OrderBy(section => section.Key, StringComparer.Ordinal).Select(section => $"{section.Key} {section.Count}")));
    }

    [Fact]
    public void A_group_needs_a_name() => Assert.Contains("label:NAME", Assert.Throws<QueryException>(() => GroupKey.Parse("--group-by", "label")).Fix, StringComparison.Ordinal);

    [Fact]
    public void Values_are_masked_shown_or_left_out()
    {
        Assert.Equal(["GET /orders/7?...", "t42"], ValuesOf(ShownValues.Masked));
        Assert.Equal(["GET /orders/7?card=1", "t42"], ValuesOf(ShownValues.All));
        Assert.Equal(["GET <redacted>", "<redacted>"], ValuesOf(ShownValues.None));
    }

    private static IEnumerable<string> ValuesOf(ShownValues shown)
        => LabelPrivacy.Apply(Labels("?card=1"), shown).Of(0).Where(label => label.Name is LabelNames.Request or "Shop.Tenant").Select(label => label.Value);

    private static StackView Ask(string question)
    {
        TextHeap heap = TextHeap.Draw(Shop);
        AsyncModel model = DrawnModel.Of(heap.Input, heap, heap.Problems).With(Labels("?..."));
        int space = question.IndexOf(' ', StringComparison.Ordinal);
        StackQuery query = space < 0 ? new() : QueryOptionTable.All.Single(row => row.Option == question[..space]).Apply(new StackQuery(), question[..space], question[(space + 1)..]);
        return StackAnswer.Of(model, query, new ViewOptions(), default);
    }

    private static LabelFacts Labels(string query) => new()
    {
        Labels =
        [
            new(LabelNames.Request, "GET /orders/7" + query, LabelSource.Connection), new(LabelNames.Request, "POST /orders/8", LabelSource.Connection), new(LabelNames.Route, "/orders/{id}", LabelSource.Connection),
            new(LabelNames.Trace, Trace, LabelSource.Context), new(LabelNames.Trace, OtherTrace, LabelSource.Context), new("Shop.Tenant", "t42", LabelSource.Context), new("Shop.Tenant", "t43", LabelSource.Context),
        ],
        Sets = [[0, 2, 3, 5], [1, 2, 4, 6], [3]],
        SetOf = new Dictionary<int, int> { [0] = 0, [1] = 1, [2] = 2 },
    };
}
