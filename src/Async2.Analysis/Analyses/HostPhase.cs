using Async2.Analysis.Analyses.Ages;
using Async2.Analysis.Analyses.Children;
using Async2.Analysis.Analyses.Contract;
using Async2.Analysis.Formatting;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Ages;
using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Analyses;

/// <summary>
/// A host that has not started yet, or has not stopped, and the service for which it waits: a server that does not listen, a process that does not end. Nothing is wrong with that by itself.
/// A host starts and stops its services one after the other, if it is not told otherwise (Microsoft.Extensions.Hosting.Internal.Host, 6 to 10).
/// </summary>
internal static class HostPhase
{
    private const string Host = "Microsoft.Extensions.Hosting.Internal.Host";
    private const string WebServer = "Microsoft.AspNetCore.Hosting.GenericWebHostService";
    private const string Start = "StartAsync", Stop = "StopAsync";

    /// <summary>It is the method of a host that starts its services, or that stops them.</summary>
    public static bool IsAt(LogicalFrame frame) => frame is { Type: Host, Name: Start or Stop };

    /// <summary>Which of the two.</summary>
    public static bool IsStart(LogicalFrame host) => host.Name == Start;

    /// <summary>A finding for each such host whose service has nothing worse.</summary>
    public static IEnumerable<Finding> In(AnalysisInput input)
    {
        AsyncModel model = input.Model;
        HashSet<int> hosts = [.. Enumerable.Range(0, model.Places.Length).Where(place => IsAt(model.Places[place].Frame))];
        if (hosts.Count == 0)
            yield break;
        WaitAges? ages = WaitAges.Of(model);
        for (int stack = 0; stack < model.StackCount; stack++)
        {
            int[] places = model.Stacks.ShapeOf(stack).Places;
            int host = Array.FindLastIndex(places, hosts.Contains);
            if (host < 0 || model.Stacks.Rows[stack].State is not (StackState.Awaiting or StackState.Blocked) || ServiceAt(input, stack, places.Take(host).Reverse()) is not { } service
                || input.Found.Any(finding => finding.Severity > Severity.Info && (finding.Hanging ?? finding.Members).Contains(stack)))
                continue;
            bool isStart = IsStart(model.Places[places[host]].Frame);
            StackAge? age = ages?.OfStack(stack);
            string since = age is null ? "" : AgeClause.Of(age, 1);
            int[] requests = service.Type == WebServer && !isStart ? OpenRequests.In(model) : [];
            Finding finding = requests.Length > 0 ? OpenRequests.Describe(input, requests, since) : Describe(isStart, service, since);
            yield return finding with
            {
                Age = age,
                Blocked = 1,
                Members = [stack, .. requests],
                Evidence = [.. input.Names.Places([model.Stacks.NodeOf(stack, 0)], 1), .. finding.Evidence],
            };
        }
    }

    // The outermost method of the user that the host called, or that the framework's own waits for, as a BackgroundService does with a limit; or else that one.
    private static LogicalFrame? ServiceAt(AnalysisInput input, int stack, IEnumerable<int> called)
    {
        AsyncModel model = input.Model;
        FramePlace[] inner = [.. called.Select(place => model.Places[place]).Where(place => place.Origin != FrameOrigin.Runtime && place.Frame.Type?.StartsWith(Host, StringComparison.Ordinal) != true)];
        if (Array.Find(inner, place => place.Origin == FrameOrigin.User) is { } user)
            return user.Frame;
        return (model.WaitsForNode(stack) is >= 0 and var next ? input.Names.FramesOf(next) is [.., var last] ? last : null : null) ?? inner.ElementAtOrDefault(0)?.Frame;
    }

    private static Finding Describe(bool isStart, LogicalFrame service, string age)
        => new("slow-dependency", Severity.Info, Confidence.Certain, $"the host {(isStart ? "has not started yet" : "is stopping")}, and waits for {PlaceFormatter.Of(service)}{age}", [])
        {
            Next = isStart
                ? "Services are started one after the other: what takes long belongs into ExecuteAsync of a BackgroundService. HostOptions.StartupTimeout gives it a limit."
                : "A service ends when its loops do: have StopAsync cancel the token that they wait with, or complete their channels; ExecuteAsync must look at its own. HostOptions.ShutdownTimeout (30 s) only cancels the token that StopAsync is given: pass it on.",
        };
}
