using System.Globalization;
using System.Text;
using System.Text.Json;
using Async2.Analysis.Formatting;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Labels;
using Async2.Analysis.Query;
using Async2.Analysis.Query.Answers;
using Async2.Analysis.Rendering;
using Async2.Analysis.Rendering.Formats;
using Async2.Tests.Support;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Analyses;

/// <summary>A finding says whose requests hang on it: those of all stacks that cannot go on, and of no other.</summary>
public sealed class FindingLabelTests
{
    private const string Trace = "4bf92f3577b34da6a3ce929d0e0e4736", OtherTrace = "3bf92f3577b34da6a3ce929d0e0e4737";

    // One waits for itself, through another method; two wait for it, and the last goes on.
    private const string Shop = """
        t1 ThunkTask -> a1 ; a1 Continuation Shop.Orders.Pay:9 -> end ; t1 awaitedBy t2 t3 t5
        t2 ThunkTask -> b1 ; b1 Continuation Shop.Orders.Ship:12 -> end ; t2 awaitedBy t1
        t3 ThunkTask -> c1 ; c1 Continuation Shop.Orders.Read:15 -> end
        t5 ThunkTask -> e1 ; e1 Continuation Shop.Orders.Ask:21 -> end
        t4 ThunkTask -> d1 ; d1 Continuation Shop.Orders.List:18 -> end
        """;

    [Fact]
    public void Requests_behind_a_deadlock_are_in_every_format()
    {
        StackView view = Ask(ShownValues.Masked);
        Finding finding = Assert.Single(view.Findings, finding => finding.Rule == "deadlock");
        Assert.Equal(3, finding.Blocked);
        string text = Rendered.Text(view);
        Assert.Contains($"\n  requests: POST /orders/{{id}} (2), GET /list?... (1); e.g. trace {OtherTrace}\n  Shop.Tenant: t42 (2), t43 (1)\n", text);
        Assert.DoesNotContain("/other", string.Join('\n', finding.Labels.SelectMany(label => label.Largest)), StringComparison.Ordinal);
        using JsonDocument json = JsonDocument.Parse(Rendered.Json(view));
        JsonElement labels = json.RootElement.GetProperty("findings")[0].GetProperty("labels");
        Assert.Equal($$"""{"name":"request","count":3,"values":2,"largest":[{"value":"POST /orders/{id}","count":2,"trace":"{{OtherTrace}}"},{"value":"GET /list?...","count":1}],"text":"requests: POST /orders/{id} (2), GET /list?... (1); e.g. trace {{OtherTrace}}"}""",
            JsonSerializer.Serialize(labels[0]).Replace("\\u003F", "?", StringComparison.Ordinal));
        Assert.Equal(finding.Labels[1].Largest, JsonViewReader.Read(new MemoryStream(Encoding.UTF8.GetBytes(Rendered.Json(view)))).Findings[0].Labels[1].Largest);
        using var sarif = new MemoryStream();
        new SarifRenderer().Render(view, new RenderOptions(), sarif);
        Assert.Contains("\"Shop.Tenant: t42 (2), t43 (1)\"", Encoding.UTF8.GetString(sarif.ToArray()), StringComparison.Ordinal);
    }

    [Fact]
    public void Data_of_people_is_left_out()
    {
        string text = Rendered.Text(Ask(ShownValues.None));
        Assert.Contains($"\n  requests: POST /orders/{{id}} (2), GET <redacted> (1); e.g. trace {OtherTrace}\n", text);
        Assert.DoesNotContain("Shop.Tenant: ", text, StringComparison.Ordinal);
        Assert.Contains("GET /list?name=Miller (1)", Rendered.Text(Ask(ShownValues.All)), StringComparison.Ordinal);
    }

    // Eight requests, the first of them in three stacks.
    [Fact]
    public void A_request_counts_once_and_the_rest_is_counted()
    {
        StackLabel[] requests = [.. Enumerable.Range(0, 8).Select(i => new StackLabel(LabelNames.Request, $"GET /{(char)('a' + (i / 2))}/{i}", LabelSource.Connection))];
        StackLabel[] ids = [.. Enumerable.Range(0, 8).Select(i => new StackLabel(LabelNames.RequestId, i.ToString(CultureInfo.InvariantCulture), LabelSource.Connection))];
        StackLabel[] routes = [.. Enumerable.Range(0, 4).Select(i => new StackLabel(LabelNames.Route, $"/{(char)('a' + i)}/{{id}}", LabelSource.Connection))];
        var labels = new LabelFacts
        {
            Labels = [.. requests, .. ids, .. routes],
            Sets = [.. Enumerable.Range(0, 8).Select(i => System.Collections.Immutable.ImmutableArray.Create(i, 8 + i, 16 + (i / 2)))],
            SetOf = Enumerable.Range(0, 10).ToDictionary(stack => stack, stack => Math.Max(0, stack - 2)),
        };
        Assert.Equal("GET /a/{id} (2), GET /b/{id} (2), GET /c/{id} (2), and 2 of 1 other route", TextOf(labels, 10));
        Assert.Equal("GET /a/{id} (1)", TextOf(labels, 3));
        Assert.Equal("8 different, e.g. GET /a/0, GET /a/1, GET /b/2", TextOf(Without(labels, LabelNames.Route), 10));
        Assert.Empty(new LabelShares(LabelFacts.None).Of([0, 1]));
        // Without ids and traces each stack is taken for a request.
        Assert.Equal("GET /a/{id} (4), GET /b/{id} (2), GET /c/{id} (2), and 2 of 1 other route", TextOf(Without(labels, LabelNames.RequestId), 10));
    }

    private static LabelFacts Without(LabelFacts labels, string name) => new()
    {
        Labels = labels.Labels,
        Sets = [.. labels.Sets.Select(set => set.RemoveAll(label => labels.Labels[label].Name == name))],
        SetOf = labels.SetOf,
    };

    private static string? TextOf(LabelFacts labels, int stacks) => FindingLabelFormatter.Values(Assert.Single(new LabelShares(labels).Of(Enumerable.Range(0, stacks))));

    private static StackView Ask(ShownValues shown)
    {
        TextHeap heap = TextHeap.Draw(Shop);
        AsyncModel model = DrawnModel.Of(heap.Input, heap, heap.Problems);
        int[] stacks = [.. ((string[])["Pay", "Ask", "Read", "List"]).Select(name => Enumerable.Range(0, model.StackCount).Single(stack => model.Stacks.ShapeOf(stack).Places.Any(place => model.Places[place].Frame.Method.Contains(name, StringComparison.Ordinal))))];
        var labels = new LabelFacts
        {
            Labels =
            [
                new(LabelNames.Request, "POST /orders/7", LabelSource.Connection), new(LabelNames.Request, "POST /orders/8", LabelSource.Connection), new(LabelNames.Request, "GET /list?name=Miller", LabelSource.Connection),
                new(LabelNames.Request, "GET /other", LabelSource.Connection), new(LabelNames.Route, "/orders/{id}", LabelSource.Connection), new(LabelNames.Trace, Trace, LabelSource.Context), new(LabelNames.Trace, OtherTrace, LabelSource.Context),
                new("Shop.Tenant", "t42", LabelSource.Context), new("Shop.Tenant", "t43", LabelSource.Context),
            ],
            Sets = [[0, 4, 5, 7], [1, 4, 6, 7], [2, 8], [3, 8]],
            SetOf = Enumerable.Range(0, 4).ToDictionary(i => stacks[i], i => i),
        };
        return StackAnswer.Of(model.With(LabelPrivacy.Apply(labels, shown)), new StackQuery(), new ViewOptions(), default);
    }
}
