using Async2.Analysis.Analyses.Contract;
using Async2.Analysis.Formatting;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Labels;

namespace Async2.Analysis.Analyses.Children;

/// <summary>Requests for which a web server waits that its host stops: it listens no more, and lets those that it has come to their end (Kestrel, ASP.NET Core 10.0.12).</summary>
internal static class OpenRequests
{
    // Who listens may be another server of the program.
    private const string Listens = "Kestrel accept";
    private const int PlaceLimit = 4, NamedLimit = 2;

    /// <summary>Stacks of methods of the user's that handle requests; none where it is not known whose they are.</summary>
    public static int[] In(AsyncModel model)
    {
        int[] stacks = [.. Enumerable.Range(0, model.StackCount)];
        return Array.Exists(stacks, stack => model.Stacks.IdleOf(stack) == Listens) ? []
            : [.. stacks.Where(stack => model.Stacks.Rows[stack] is { Idle: 0, State: StackState.Awaiting or StackState.Blocked } && model.HasUserFrame(stack) && model.Facts.Labels.Find(stack, LabelNames.Request) is { Source: LabelSource.Connection })];
    }

    /// <summary>What is said of them: a warning if none of them ends by itself.</summary>
    public static Finding Describe(AnalysisInput input, int[] requests, string age)
    {
        AsyncModel model = input.Model;
        int[] nodes = [.. requests.Select(stack => model.Stacks.NodeOf(stack, 0))];
        string[] places = [.. nodes.GroupBy(input.Names.Of).OrderByDescending(alike => alike.Count()).Select(alike => WaitNumbers.Times(alike.Count(), alike.Key))];
        string more = places.Length > NamedLimit ? $", and {WaitNumbers.Count(places.Length - NamedLimit, "other place")}" : "";
        bool isStuck = Array.TrueForAll(requests, stack => model.ReasonOf(stack) is { EndsByItself: false, Kind: not (WaitKind.Timer or WaitKind.Socket or WaitKind.Process or WaitKind.Pool or WaitKind.Pipe or WaitKind.Native) });
        return new("slow-dependency", isStuck ? Severity.Warning : Severity.Info, isStuck ? Confidence.Possible : Confidence.Certain,
            $"the host is stopping, and waits until {WaitNumbers.Count(requests.Length, "request")} {(requests.Length == 1 ? "is" : "are")} done{age}: {string.Join(" and ", places.Take(NamedLimit))}{more}", [])
        {
            Evidence = [.. input.Names.Places(nodes, PlaceLimit)],
            DisprovedBy = isStuck ? "They end, and the host does: nothing of it is there when you look again." : null,
            Next = "A request that is open for long has to end when the host begins to stop: give it IHostApplicationLifetime.ApplicationStopping (ApplicationStopped comes only when all requests are done), or complete what it reads. HostOptions.ShutdownTimeout (30 s) aborts what is left.",
        };
    }
}
