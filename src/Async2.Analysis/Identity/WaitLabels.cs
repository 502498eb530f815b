using Async2.Analysis.Model;
using Async2.Analysis.Model.Labels;
using Async2.Analysis.Waits.Libraries;

namespace Async2.Analysis.Identity;

/// <summary>Which service a stack waits for: SQL, command and server, as its wait says them.</summary>
internal static class WaitLabels
{
    /// <summary>The labels of a wait; none for most.</summary>
    /// <param name="reason">The wait; null for none.</param>
    public static IEnumerable<StackLabel> Of(WaitReason? reason)
    {
        for (; reason is not null; reason = reason.Behind)
        {
            string? sql = Text(reason, WaitFactKey.Sql);
            // SQLite is not a server: who waits for its file sleeps.
            if (reason.Kind is not (WaitKind.Socket or WaitKind.Pool) && sql is null)
                continue;
            if (sql is not null)
                yield return Label(LabelNames.Sql, NpgsqlWaits.FirstLine(sql));
            if (RedisWaits.CommandOf(reason) is { } command)
                yield return Label(LabelNames.Command, command);
            if ((Text(reason, WaitFactKey.Host) ?? Text(reason, WaitFactKey.Server) ?? Text(reason, WaitFactKey.From) ?? RemoteOf(reason, isServer: sql is not null)) is { } host)
                yield return Label(LabelNames.Host, host);
        }
    }

    // On a client no server depends.
    private static string? RemoteOf(WaitReason reason, bool isServer)
    {
        foreach (WaitFact fact in reason.Shared)
        {
            if (fact.Key is WaitFactKey.RemoteSource or WaitFactKey.RemoteTarget && (isServer || (SocketSide)fact.Number == SocketSide.Connected))
                return fact.Text;
        }
        return null;
    }

    private static string? Text(WaitReason reason, WaitFactKey key)
    {
        foreach (WaitFact fact in reason.Shared)
        {
            if (fact.Key == key)
                return fact.Text;
        }
        return null;
    }

    private static StackLabel Label(string name, string value) => new(name, LabelText.Cut(value), LabelSource.Wait);
}
