using System.Runtime;

namespace Scenarios.Support;

/// <summary>Runs scenarios to completion until their code is in the last tier, as in a service that has been up for a day.</summary>
public static class Rehearsals
{
    private const int RoundsBetweenPauses = 30;

    // A method needs 30 counted calls for the instrumented tier 0 and 30 more for tier 1. Two per round make 60 rounds
    // enough, although calls are lost while the background compiler is busy.
    private const int RunsPerRound = 2;

    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);

    // The runtime starts to count calls, or to promote, when no new method was jitted for 100 ms.
    private static readonly TimeSpan Quiet = TimeSpan.FromMilliseconds(200);
    private static readonly TimeSpan QuietLimit = TimeSpan.FromSeconds(5);

    /// <summary>One opening round that only gets everything jitted, then <paramref name="rounds"/> that are counted.</summary>
    public static void Run(Scenario[] scenarios, int rounds)
    {
        if (rounds == 0) return;
        RunRound(scenarios);
        WaitForTheJit();
        for (int round = 1; round <= rounds; round++)
        {
            RunRound(scenarios);
            if (round % RoundsBetweenPauses == 0) WaitForTheJit();
        }
        WaitForTheJit();
    }

    private static void RunRound(Scenario[] scenarios)
    {
        ScenarioRun[] runs =
        [
            .. from scenario in scenarios
               from _ in Enumerable.Range(0, RunsPerRound)
               select new ScenarioRun(scenario, isFinal: false).Start(),
        ];
        Task all = Task.WhenAll(runs.Select(r => r.Task));
        if (Task.WaitAny([all], Limit) < 0 || !all.IsCompletedSuccessfully) throw new ScenarioException(Complaint(runs));
    }

    private static void WaitForTheJit()
    {
        long before;
        DateTime end = DateTime.UtcNow + QuietLimit;
        do
        {
            before = JitInfo.GetCompiledMethodCount();
            Thread.Sleep(Quiet);
        }
        while (JitInfo.GetCompiledMethodCount() != before && DateTime.UtcNow < end);
    }

    private static string Complaint(ScenarioRun[] runs) =>
        string.Join(Environment.NewLine, runs
            .Where(r => !r.Task.IsCompletedSuccessfully)
            .Select(r => $"{r.Scenario.Name} did not complete its rehearsal: {Reason(r.Task)}")
            .Distinct());

    private static string Reason(Task task) => task.Exception?.InnerException?.ToString() ?? task.Status.ToString();
}
