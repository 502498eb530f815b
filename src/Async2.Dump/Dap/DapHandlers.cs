using Async2.Dump.Dap.Protocol;
using Async2.Dump.Dap.Requests;
using Async2.Dump.Dap.Session;

namespace Async2.Dump.Dap;

/// <summary>All requests by name. A new one is a line in one of the lists that are joined here.</summary>
internal static class DapHandlers
{
    public static Dictionary<string, DapHandler> Of(DapSession session)
    {
        var handlers = new Dictionary<string, DapHandler>(StringComparer.Ordinal);
        foreach ((string command, DapHandler handler) in (IEnumerable<(string, DapHandler)>)
        [
            .. new LaunchRequests(session).All,
            .. new ThreadRequests(session).All,
            .. new StackRequests(session).All,
            .. new VariableRequests(session).All,
            .. new QueryRequests(session).All,
            .. new TreeRequests(session).All,
            .. new FindingRequests(session).All,
            .. UnsupportedRequests.All(session),
        ])
        {
            handlers.Add(command, handler);
        }
        return handlers;
    }
}
