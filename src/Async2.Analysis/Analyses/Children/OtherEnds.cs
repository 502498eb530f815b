using Async2.Analysis.Model;

namespace Async2.Analysis.Analyses.Children;

/// <summary>Who waits at the other end of a connection that a program has with itself.</summary>
internal static class OtherEnds
{
    /// <summary>The stack that does the same there as one here, in code of the user: not a server's loop, which waits for requests; -1 for none.</summary>
    /// <param name="model">The model.</param>
    /// <param name="stack">A stack that waits to receive, or to send.</param>
    public static int Of(AsyncModel model, int stack)
    {
        WaitReason? here = model.ReasonOf(stack);
        ulong socket = (ulong)(here?.Shared.FirstOrDefault(fact => fact.Key == WaitFactKey.OtherEnd).Number ?? 0);
        for (int other = 0; socket != 0 && other < model.StackCount; other++)
        {
            if (model.ReasonOf(other) is { Kind: WaitKind.Socket, Resource: var own } there && own == socket && there.Action == here!.Action)
                return model.Stacks.IdleOf(other) is null && model.HasUserFrame(other) ? other : -1;
        }
        return -1;
    }
}
