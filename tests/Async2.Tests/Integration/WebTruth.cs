using Async2.Analysis.Formatting;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Ages;
using Async2.Analysis.Model.Labels;
using Async2.Analysis.Query;
using Async2.Tests.Support;

namespace Async2.Tests.Integration;

/// <summary>What the web sample has sent itself, and what is said of its stacks.</summary>
internal static class WebTruth
{
    /// <summary>What its server may have switched on.</summary>
    public static readonly string[] Modes = ["default", "none", "accessor", "listener"];

    /// <summary>Compares.</summary>
    /// <param name="truth">What was sent.</param>
    /// <param name="view">What is said.</param>
    /// <param name="mode">What the server had switched on.</param>
    public static void Check(Truth truth, StackView view, string mode)
    {
        IEnumerable<string> sent = truth.Requests!.SelectMany(request => Enumerable.Repeat($"{request.Method} {request.Path}{request.Query} {request.Route} {request.Trace} {request.Tenant}", request.Stacks));
        IEnumerable<string> said = view.Stacks.Where(stack => Value(stack, LabelNames.Request) is not null)
            .Select(stack => $"{Value(stack, LabelNames.Request)} {Value(stack, LabelNames.Route)} {Value(stack, LabelNames.Trace)} {Value(stack, "Shop.Tenant")}");
        Assert.Equal(sent.Order(StringComparer.Ordinal), said.Order(StringComparer.Ordinal));
        // The stack that a request stopped in is its own, and not another's of the same kind: the handler's id is in the path.
        foreach (TruthRequest request in truth.Requests!)
            Assert.Contains(view.Stacks, stack => stack.Frames.Any(frame => frame.Name == request.Handler) && Value(stack, LabelNames.Trace) == request.Trace);
        // Work that is left has what the program gave along, and no request or trace any more.
        LogicalStack[] left = [.. At(view, "SendMailAsync")];
        Assert.Equal(truth.Left!.Select(request => request.Tenant).Order(StringComparer.Ordinal), left.Select(stack => Value(stack, "Shop.Tenant")!).Order(StringComparer.Ordinal));
        Assert.All(left, stack => Assert.True(Value(stack, LabelNames.Request) is null && Value(stack, LabelNames.Trace) is null));
        HashSet<string> over = [.. truth.Ended!.Concat(truth.Left!).Select(request => request.Trace)];
        Assert.All(view.Stacks.SelectMany(stack => stack.Labels), label => Assert.DoesNotContain(label.Value, over));
        Assert.All(view.Stacks.Where(stack => stack.Idle is not null), stack => Assert.Empty(stack.Labels));
        // Work beside a request knows its trace, if the server made one.
        LogicalStack[] audits = [.. At(view, "WriteAuditAsync")];
        Assert.Equal(truth.Requests!.Where(request => request.Handler == "AuditAsync").Select(request => $"{(mode == "none" ? null : request.Trace)} {request.Tenant}").Order(StringComparer.Ordinal),
            audits.Select(stack => $"{Value(stack, LabelNames.Trace)} {Value(stack, "Shop.Tenant")}").Order(StringComparer.Ordinal));
        CheckScopes(truth, view, mode);
        CheckAges(truth, view, mode);
        CheckDependency(truth, view);
        CheckAffected(truth, view);
        // Culture, and the request that a handler sends.
        Assert.All(view.Stacks.Where(stack => stack.Frames.Any(frame => frame.Name is "PayAsync" or "EmptyAsync")), stack => Assert.Equal("de-CH", Value(stack, LabelNames.Culture)));
        Assert.All(view.Stacks.Where(stack => stack.Frames.Any(frame => frame.Name == "OrderAsync")), stack => Assert.Matches(@"^GET http://127\.0\.0\.1:\d+/stock/\d+\?key=secret$", Value(stack, LabelNames.Call)));
    }

    public static string? Value(LogicalStack stack, string name) => stack.Labels.FirstOrDefault(label => label.Name == name)?.Value;

    // Scopes are kept while somebody takes them.
    private static void CheckScopes(Truth truth, StackView view, string mode)
    {
        foreach (TruthRequest request in truth.Requests!.Where(request => request.Handler is "OrderAsync" or "PayAsync"))
        {
            LogicalStack stack = At(view, request.Handler).Single(stack => Value(stack, LabelNames.Trace) == request.Trace);
            string scope = request.Handler == "OrderAsync" ? $"order {request.Path.Split('/')[^1]} of {request.Tenant}" : $"Amount={request.Query.Split('=')[^1]}, Currency=CHF";
            Assert.Equal(mode == "default" ? scope : null, Value(stack, LabelNames.Scope));
        }
    }

    // They began to wait after they were sent, and before all had stopped; what began with the request says no less and not much more.
    private static void CheckAges(Truth truth, StackView view, string mode)
    {
        const long step = 20, grace = 150;
        long now = view.Target.Tick ?? view.Target.LastTick!.Value, ready = truth.Ages![0];
        foreach (TruthRequest request in truth.Requests!.Where(request => request.Handler is not ("Report" or "EmptyAsync")))
        {
            foreach (LogicalStack stack in view.Stacks.Where(stack => Value(stack, LabelNames.Trace) == request.Trace && stack.State == StackState.Awaiting))
            {
                bool isCall = stack.Frames.Any(frame => frame.Name == "OrderAsync");
                if (mode is "none" or "accessor" && !isCall)
                    continue;
                Assert.NotNull(stack.Age?.AtMostMs);
                Assert.InRange(stack.Age.AtMostMs.Value, now - ready - step, Math.Max(0, now - request.Sent) + grace);
                // HttpClient makes an activity of its own, if there is one.
                if (mode is "none" or "accessor")
                    Assert.Equal(AgeClock.HttpTimer, stack.Age.AtMostClock);
            }
        }
    }

    // What waits for a server says so, and for how long, too.
    private static void CheckDependency(Truth truth, StackView view)
    {
        const long step = 20, grace = 150;
        long now = view.Target.Tick ?? view.Target.LastTick!.Value, ready = truth.Ages![0];
        HashSet<string> orders = [.. At(view, "OrderAsync").Select(stack => stack.Id)];
        Finding calls = Assert.Single(view.Findings, finding => finding.Rule == "slow-dependency" && finding.Stacks.Any(orders.Contains));
        Assert.InRange(calls.Age?.AtMostMs ?? -1, now - ready - step, now - truth.Requests!.Min(request => request.Sent) + grace);
        Assert.EndsWith($" to send something, the oldest for {AgeFormatter.Bounds(calls.Age!)}", calls.Text, StringComparison.Ordinal);
    }

    // Each kind of request that hangs on a finding is there with as many as were sent, and their tenants.
    private static void CheckAffected(Truth truth, StackView view)
    {
        foreach (string handler in (string[])["OrderAsync", "Report"])
        {
            TruthRequest[] sent = [.. truth.Requests!.Where(request => request.Handler == handler)];
            HashSet<string> stacks = [.. At(view, handler).Select(stack => stack.Id)];
            Finding[] found = [.. view.Findings.Where(finding => finding.Rule is "slow-dependency" or "sync-over-async" && finding.Stacks.Any(stacks.Contains))];
            FindingLabel requests = Assert.Single(Assert.Single(found).Labels, label => label.Name == LabelNames.Request), tenants = Assert.Single(found[0].Labels, label => label.Name == "Shop.Tenant");
            Assert.Equal((sent.Length, $"GET {sent[0].Route}", sent.Length), (requests.Count, Assert.Single(requests.Largest).Value, requests.Largest[0].Count));
            Assert.Equal(sent.Min(request => request.Trace), requests.Largest[0].Trace);
            Assert.Equal(sent.Select(request => request.Tenant).Order(StringComparer.Ordinal).Take(10), tenants.Largest.Select(share => share.Value));
        }
    }

    private static IEnumerable<LogicalStack> At(StackView view, string method) => view.Stacks.Where(stack => stack.Frames.Any(frame => frame.Name == method));
}
