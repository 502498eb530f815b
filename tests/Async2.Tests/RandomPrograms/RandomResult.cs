using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Query;
using Async2.Analysis.Targets;
using Async2.Tests.Integration;
using Async2.Tests.Support;

namespace Async2.Tests.RandomPrograms;

/// <summary>
/// Holds a snapshot of a random program against its truth, stack by stack: the task at the end of a stack carries its name. Two
/// frames that are mixed up are two mistakes here.
/// </summary>
internal sealed class RandomResult(Dictionary<int, NumberedSite> sites)
{
    private readonly Dictionary<string, int> _counts = [];
    private readonly Dictionary<string, int> _details = [];

    /// <summary>Each kind of mistake with how often it was made.</summary>
    public IReadOnlyDictionary<string, int> Details => _details;

    /// <summary>How many frames were counted under a name: kind, exactness, verdict.</summary>
    public int this[string name] => _counts.GetValueOrDefault(name);

    /// <summary>All counts whose name contains all words.</summary>
    public int Sum(params string[] words) => _counts.Where(c => words.All(c.Key.Split(' ').Contains)).Sum(c => c.Value);

    public void Compare(StackView snapshot, Truth truth, Target target)
    {
        var recorded = truth.Stacks.ToDictionary(s => s.Stack);
        foreach (LogicalStack stack in snapshot.Stacks)
        {
            List<LogicalFrame> own = [.. stack.Frames.Where(TruthComparison.IsUser)];
            if (own.Count == 0)
                continue;
            if (NameOf(stack, target) is { } name && recorded.Remove(name, out TruthStack? known))
                Compare(own, [.. known.Frames.Select(f => sites[f.Site!.Value])]);
            else
                Count("stack unknown", stack.WaitingOn?.ToString() ?? "no wait");
        }
        foreach (TruthStack lost in recorded.Values)
            Count("stack lost", lost.Stack);
        foreach (Problem problem in snapshot.Problems)
            Count($"problem {problem.Code}", problem.Text);
    }

    private static string? NameOf(LogicalStack stack, Target target)
        => stack.WaitingOn?.Address is { } address && target.Runtime.Heap.GetObject(address) is { IsValid: true } task
            && task.Type?.GetFieldByName("m_stateObject") is not null
            && task.ReadObjectField("m_stateObject") is { IsNull: false, Type.IsString: true } state ? state.AsString() : null;

    private void Compare(List<LogicalFrame> own, List<NumberedSite> recorded)
    {
        int nextOwn = 0, nextRecorded = 0;
        foreach ((int i, int j) in Pairs(own, recorded))
        {
            Unmatched(own[nextOwn..i], recorded[nextRecorded..j]);
            Matched(own[i], recorded[j]);
            (nextOwn, nextRecorded) = (i + 1, j + 1);
        }
        Unmatched(own[nextOwn..], recorded[nextRecorded..]);
    }

    private void Matched(LogicalFrame own, NumberedSite recorded)
    {
        string verdict = own.AwaitNumber == recorded.Number ? "right" : own.AwaitNumber is null ? "unplaced" : "wrong";
        Count($"{own.Kind} {own.Exactness} {verdict}");
        if (verdict == "wrong" || (own.Exactness < Exactness.Order && own.Kind == FrameKind.Continuation))
            Detail($"{own.Kind} {own.Exactness} {verdict}: {recorded.Type}.{recorded.Method} #{recorded.Number} IL_{recorded.ILOffset:x} shown #{own.AwaitNumber}");
    }

    private void Unmatched(List<LogicalFrame> own, List<NumberedSite> recorded)
    {
        foreach (LogicalFrame frame in own)
            Count($"{frame.Kind} {frame.Exactness} invented", $"{frame.Type}.{frame.Name} #{frame.AwaitNumber}");
        foreach (NumberedSite lost in recorded)
            Count("missing", $"{lost.Type}.{lost.Method} #{lost.Number}");
    }

    private void Count(string name, string? detail = null)
    {
        _counts[name] = _counts.GetValueOrDefault(name) + 1;
        if (detail is not null)
            Detail($"{name}: {detail}");
    }

    private void Detail(string text) => _details[text] = _details.GetValueOrDefault(text) + 1;

    // The longest common subsequence, where the same await is worth more than the same method.
    private static List<(int Own, int Recorded)> Pairs(List<LogicalFrame> own, List<NumberedSite> recorded)
    {
        var worth = new int[own.Count + 1, recorded.Count + 1];
        for (int i = own.Count - 1; i >= 0; i--)
        {
            for (int j = recorded.Count - 1; j >= 0; j--)
                worth[i, j] = Math.Max(Worth(own[i], recorded[j]) + worth[i + 1, j + 1], Math.Max(worth[i + 1, j], worth[i, j + 1]));
        }
        var pairs = new List<(int, int)>();
        for (int i = 0, j = 0; i < own.Count && j < recorded.Count;)
        {
            int here = Worth(own[i], recorded[j]);
            if (here > 0 && worth[i, j] == here + worth[i + 1, j + 1])
                pairs.Add((i++, j++));
            else if (worth[i + 1, j] >= worth[i, j + 1])
                i++;
            else
                j++;
        }
        return pairs;
    }

    private static int Worth(LogicalFrame own, NumberedSite recorded)
        => own.Name != recorded.Method || SiteMap.TypeOf(own.Type) != recorded.Type ? 0 : own.AwaitNumber == recorded.Number ? 3 : 2;
}
