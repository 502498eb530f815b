using Async2.Analysis.Model.Frames;
using Async2.Tests.Support;

namespace Async2.Tests.Integration;

/// <summary>Lays a found stack beside a recorded one: the longest common subsequence of frames at the same await.</summary>
internal static class Alignment
{
    public static IReadOnlyList<(int Own, int Recorded)> Of(IReadOnlyList<LogicalFrame> own, IReadOnlyList<TruthFrame?> recorded)
    {
        var length = new int[own.Count + 1, recorded.Count + 1];
        for (int i = own.Count - 1; i >= 0; i--)
        {
            for (int j = recorded.Count - 1; j >= 0; j--)
            {
                length[i, j] = IsSameAwait(own[i], recorded[j])
                    ? length[i + 1, j + 1] + 1
                    : Math.Max(length[i + 1, j], length[i, j + 1]);
            }
        }
        var pairs = new List<(int, int)>();
        for (int i = 0, j = 0; i < own.Count && j < recorded.Count;)
        {
            if (IsSameAwait(own[i], recorded[j]))
                pairs.Add((i++, j++));
            else if (length[i + 1, j] >= length[i, j + 1])
                i++;
            else
                j++;
        }
        return pairs;
    }

    /// <summary>Same method, same line and, where a line has several awaits, the same one of them.</summary>
    private static bool IsSameAwait(LogicalFrame own, TruthFrame? recorded)
        => recorded is not null && own.Line == recorded.Line && (recorded.Site is null || own.AwaitNumber == recorded.Site) && IsSameMethod(own, recorded);

    /// <summary>The recorded name is the source's; ours has the interface or the lambda with it.</summary>
    public static bool IsSameMethod(LogicalFrame own, TruthFrame recorded)
        => Path.GetFileName(own.File) == recorded.File && own.Name?.Split('.').Contains(recorded.Method) == true;
}
