using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Labels;

namespace Async2.Analysis.Identity;

/// <summary>
/// HTTP requests that a program sends to itself: who waits for the answer waits for the method that handles the request in this very process. The address is local, a socket of the process
/// accepts connections on its port, and the server is at a request with the same method and path; where both have a trace, it is the same one. Of several such requests any may be the one.
/// </summary>
internal static class OwnRequests
{
    // More are a crowd in which somebody goes on.
    private const int Limit = 32;

    /// <summary>Who handles requests of the program's own, by what their senders wait for.</summary>
    /// <param name="model">With labels.</param>
    public static IReadOnlyList<ReplyRow> In(AsyncModel model)
    {
        if (model.Facts.Labels.IsEmpty || !model.Facts.Labels.Labels.Any(label => label.Name == LabelNames.Call))
            return [];
        HashSet<int> ports = [.. model.Reasons.Values.Where(reason => reason is { Kind: WaitKind.Socket, Action: WaitAction.Accept }).Select(PortOf)];
        if (ports.Count == 0)
            return [];
        ILookup<string, int> handled = Stacks(model).Where(stack => IsOfServer(model, stack)).ToLookup(stack => model.Facts.Labels.Find(stack, LabelNames.Request)!.Value);
        var sent = new List<(int Stack, ulong Promise, int[] Handlers)>();
        foreach (int stack in Stacks(model))
        {
            if (PromiseOf(model, stack) is not 0 and var promise && model.Facts.Labels.Find(stack, LabelNames.Call) is { } call && RequestOf(call.Value, ports) is { } request
                && HandlersOf(model, stack, [.. handled[request].Where(handler => handler != stack)]) is { Length: > 0 and <= Limit } handlers)
                sent.Add((stack, promise, handlers));
        }
        Dictionary<int, int> senders = sent.SelectMany(one => one.Handlers).GroupBy(handler => handler).ToDictionary(alike => alike.Key, alike => alike.Count());
        return [.. sent.SelectMany(one => one.Handlers.Select(handler => RowOf(model, one.Promise, handler, IsSure(model, one.Stack, one.Handlers) && senders[handler] == 1)))
            .OrderBy(row => row.Promise).ThenBy(row => row.Node)];
    }

    private static IEnumerable<int> Stacks(AsyncModel model)
        => model.Facts.Labels.SetOf.Keys.Where(stack => model.Stacks.Rows[stack].State is not StackState.Completed && model.Stacks.Rows[stack].Idle == 0).Order();

    private static bool IsOfServer(AsyncModel model, int stack) => model.Facts.Labels.Find(stack, LabelNames.Request) is { Source: LabelSource.Connection };

    // The socket, over which nothing else goes meanwhile, the stream of HTTP/2, or what stands for the answer.
    private static ulong PromiseOf(AsyncModel model, int stack)
        => model.Stacks.Rows[stack] is not { State: StackState.Awaiting or StackState.Blocked, WaitAddress: not 0 and var awaited } ? 0
            : model.ReasonOf(stack) is { Resource: not 0 and var resource, Kind: var kind } ? kind == WaitKind.Socket ? resource : 0 : awaited;

    // Of one trace, if both are of any.
    private static int[] HandlersOf(AsyncModel model, int stack, int[] handlers)
    {
        int[] same = [.. handlers.Where(handler => IsSameTrace(model, stack, handler))];
        return same.Length > 0 ? same : model.Facts.Labels.Find(stack, LabelNames.Trace) is null ? handlers : [];
    }

    private static bool IsSameTrace(AsyncModel model, int stack, int handler)
        => model.Facts.Labels.Find(stack, LabelNames.Trace) is { } trace && model.Facts.Labels.Find(handler, LabelNames.Trace)?.Value == trace.Value;

    private static bool IsSure(AsyncModel model, int stack, int[] handlers) => handlers is [var only] && (IsSameTrace(model, stack, only) || model.Facts.Labels.Find(stack, LabelNames.Trace) is null);

    // "GET http://localhost:5000/orders/1?full=1" is "GET /orders/1?full=1" for the server.
    private static string? RequestOf(string call, HashSet<int> ports)
        => call.Split(' ', 2) is [var method, var address] && Uri.TryCreate(address, UriKind.Absolute, out Uri? uri) && uri.IsLoopback && ports.Contains(uri.Port)
            ? $"{method} {Uri.UnescapeDataString(uri.AbsolutePath)}{uri.Query}" : null;

    // "127.0.0.1:5000", "[::]:5000".
    private static int PortOf(WaitReason reason)
        => reason.Shared.FirstOrDefault(fact => fact.Key == WaitFactKey.LocalEnd).Text is { } end && int.TryParse(end.AsSpan(end.LastIndexOf(':') + 1), out int port) ? port : 0;

    // The user's outermost method is where the program handles it.
    private static ReplyRow RowOf(AsyncModel model, ulong promise, int handler, bool isSure)
    {
        int[] places = model.Stacks.ShapeOf(handler).Places;
        int place = places.LastOrDefault(at => model.Places[at].Origin == FrameOrigin.User, places[^1]);
        return new(promise, model.Stacks.NodeOf(handler, model.Stacks.NodeCount(handler) - 1), place, 0, isSure ? Confidence.Likely : Confidence.Possible) { Kind = ReplyKind.Request };
    }
}
