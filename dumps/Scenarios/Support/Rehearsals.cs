namespace Scenarios.Support;

/// <summary>Runs scenarios to completion until their code is in the last tier, as in a service that has been up for a while.</summary>
public static class Rehearsals
{
    private const int RoundsBetweenPauses = 30;
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);

    // The runtime starts to count calls only when no new method was jitted for 100 ms, and promotes after 30 counted calls.
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(150);

    /// <summary>One opening round that only gets everything jitted, then <paramref name="rounds"/> that are counted.</summary>
    public static void Run(Scenario[] scenarios, int rounds)
    {
        if (rounds == 0) return;
        RunRound(scenarios);
        Thread.Sleep(Pause);
        for (int round = 1; round <= rounds; round++)
        {
            RunRound(scenarios);
            if (round % RoundsBetweenPauses == 0) Thread.Sleep(Pause);
        }
        // The background compiler works through its queue of promoted methods: give it the time.
        Thread.Sleep(4 * Pause);
    }

    private static void RunRound(Scenario[] scenarios)
    {
        ScenarioRun[] runs = Array.ConvertAll(scenarios, s => new ScenarioRun(s, isFinal: false).Start());
        Task all = Task.WhenAll(runs.Select(r => r.Task));
        if (Task.WaitAny([all], Limit) < 0 || !all.IsCompletedSuccessfully) throw new ScenarioException(Complaint(runs));
    }

    private static string Complaint(ScenarioRun[] runs) =>
        string.Join(Environment.NewLine, runs
            .Where(r => !r.Task.IsCompletedSuccessfully)
            .Select(r => $"{r.Scenario.Name} did not complete its rehearsal: {r.Task.Exception?.InnerException?.ToString() ?? r.Task.Status.ToString()}"));
}
