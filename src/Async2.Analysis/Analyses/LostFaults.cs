using System.Globalization;
using Async2.Analysis.Analyses.Contract;
using Async2.Analysis.Formatting;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Graph;

namespace Async2.Analysis.Analyses;

/// <summary>
/// Failures of which nobody has heard. That is a fact, and often harmless; it is worth a warning where others wait for what the failed method may have
/// been there for: the other tasks of a WhenAll, or who waits for something of the same class.
/// </summary>
internal static class LostFaults
{
    private const int EvidenceLimit = 4;

    public static IEnumerable<Finding> In(AnalysisInput input)
        => input.Model.Facts.Faults.Where(row => row.Waiter < input.Model.Nodes.Count)
            .GroupBy(row => (row.Failed, row.Exception, Waiter: row.Waiter < 0 ? null : input.Names.Of(WhoOf(input.Model, row.Waiter)))).Select(group => Describe(input, [.. group]))
            .OrderByDescending(finding => finding.Severity).ThenByDescending(finding => finding.Blocked).ThenBy(finding => finding.Text, StringComparer.Ordinal);

    /// <summary>Who waits for a node waits for what a failed method was there for, as far as its class tells.</summary>
    public static bool Explains(AsyncModel model, int node)
        => model.Facts.Faults.Any(row => row.Waiter < 0 && ServedBy(model, model.Places[row.Failed].Frame, model.Places[row.Thrown].Frame) == node);

    private static int ServedBy(AsyncModel model, LogicalFrame failed, LogicalFrame thrown) => OfSameClass(model, failed) is >= 0 and var own ? own : OfSameClass(model, thrown);

    private static Finding Describe(AnalysisInput input, FaultRow[] rows)
    {
        FaultRow first = rows[0];
        LogicalFrame failed = input.Model.Places[first.Failed].Frame, thrown = input.Model.Places[first.Thrown].Frame;
        string count = rows.Length == 1 ? "" : string.Create(CultureInfo.InvariantCulture, $"{rows.Length:N0} x ");
        string what = $"{count}{PlaceFormatter.Of(failed)} has failed with {first.Exception}{(first.Message is { Length: > 0 } message ? $" \"{message}\"" : "")}";
        Evidence step = new($"{PlaceFormatter.Of(thrown)} throws {first.Exception}") { Method = thrown.Method, File = thrown.File, Line = thrown.Line };
        return first.Waiter < 0 ? OfNobody(input, failed, thrown, first.IsOfService ? $"{what}, and only the host has heard of it" : $"{what}, and nobody has looked at its task", step)
            : input.Model.Awaits.IsCombinator(first.Waiter) ? OfCombinator(input, first.Waiter, what, step)
            : OfLater(input, first.Waiter, what, step);
    }

    private static Finding OfNobody(AnalysisInput input, LogicalFrame failed, LogicalFrame thrown, string text, Evidence step)
    {
        int node = ServedBy(input.Model, failed, thrown);
        int[] waiting = node < 0 ? [] : input.Model.Graph.StacksWaitingFor(node);
        return New(waiting.Length == 0 ? text : $"{text}; {WaitNumbers.Count(waiting.Length, "stack waits", "stacks wait")} for {input.Names.Of(node)}", waiting.Length > 0).WithHanging(input, node < 0 ? [] : [node]) with
        {
            Members = [.. waiting],
            Rests = node < 0 ? null : new() { Queue = node, IfStill = Confidence.Likely },
            Evidence = node < 0 ? [step] : [step, .. input.Names.Places(input.Model.Graph.EdgesTo(node).Where(edge => edge.Kind == EdgeKind.BlockedOn).Select(edge => edge.From), EvidenceLimit, $"waits for {input.Names.Of(node)}", $"wait for {input.Names.Of(node)}")],
            Next = "Await the task somewhere, or catch and log in the method itself: a loop that has died should end what waits for it, or be started again.",
        };
    }

    private static Finding OfCombinator(AnalysisInput input, int combinator, string what, Evidence step)
    {
        int who = WhoOf(input.Model, combinator);
        int[] others = [.. input.Model.Awaits.PartsOf(combinator).Select(input.Model.Graph.StackOf).Where(stack => stack >= 0).Distinct()];
        string waiter = who == combinator ? "who waits for all of them" : input.Names.Of(who);
        bool mayHang = others.Length > 0 && others.All(stack => !EndsByItself(input.Model, stack));
        return New($"{what}, and {waiter} hears of it only when {WaitNumbers.Count(others.Length, "other task is", "other tasks are")} done", mayHang).WithHanging(input, [combinator]) with
        {
            Members = [.. others],
            Rests = mayHang ? new() { Stacks = others, IfStill = Confidence.Likely } : null,
            Evidence = [step, .. input.Names.Places(input.Model.Awaits.PartsOf(combinator), EvidenceLimit, "is waited for first", "are waited for first")],
            Next = "If the others need what has failed, they must hear of it: complete the channel, cancel a token they share, or wait with WhenAny.",
        };
    }

    private static Finding OfLater(AnalysisInput input, int waiter, string what, Evidence step) => New($"{what}, and {input.Names.Of(waiter)}, which has its task, waits for something else", mayHang: false) with
    {
        Members = input.Model.Graph.StackOf(waiter) is >= 0 and var stack ? [stack] : [],
        Evidence = [step, input.Names.Step(waiter, $"{input.Names.Of(waiter)} has the task")],
        Next = "If both are needed, wait for them together (WhenAll), or for the first that ends (WhenAny).",
    };

    private static Finding New(string text, bool mayHang) => new(Lost.Name, mayHang ? Severity.Warning : Severity.Info, mayHang ? Confidence.Possible : Confidence.Certain, text, [])
    {
        DisprovedBy = mayHang ? "Who waits goes on, or does not need what has failed." : null,
    };

    // Who awaits the combinator; itself if nobody is known.
    private static int WhoOf(AsyncModel model, int node)
        => !model.Awaits.IsCombinator(node) ? node : model.Graph.EdgesTo(node).Where(edge => edge.Kind is EdgeKind.Awaits or EdgeKind.BlockedOn).Select(edge => edge.From).FirstOrDefault(node);

    private static bool EndsByItself(AsyncModel model, int stack)
        => model.Stacks.Rows[stack].State is StackState.Active or StackState.Scheduled || (model.Reasons.TryGetValue(model.Stacks.Rows[stack].WaitAddress, out WaitReason? reason) && (reason.EndsByItself || reason.Kind is WaitKind.Socket or WaitKind.Timer or WaitKind.Native));

    // A semaphore, channel or lock that is known as a field of the class whose method has failed; -1 for none.
    private static int OfSameClass(AsyncModel model, LogicalFrame failed)
    {
        string method = PlaceFormatter.Method(failed);
        // Of a lambda, the name has two parts.
        string prefix = failed.Name is { } name && method.EndsWith(name, StringComparison.Ordinal) ? method[..^name.Length] : method[..(method.LastIndexOf('.') + 1)];
        return prefix.Length == 0 ? -1 : model.Resources.Values.Where(resource => resource.Name?.StartsWith(prefix, StringComparison.Ordinal) == true)
            .Select(resource => model.Graph.Find(resource.Address)).Where(node => node >= 0).OrderByDescending(node => model.Graph.StacksWaitingFor(node).Length).FirstOrDefault(-1);
    }
}
