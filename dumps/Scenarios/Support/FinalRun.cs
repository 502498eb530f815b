namespace Scenarios.Support;

/// <summary>Starts scenarios for real and waits until every one of their stacks has come to rest.</summary>
public static class FinalRun
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);

    // A stack notes its arrival just before it suspends: this is for the last instructions of that.
    private static readonly TimeSpan Settle = TimeSpan.FromMilliseconds(300);

    public static ScenarioRun[] Start(Scenario[] scenarios, int repeat)
    {
        ScenarioRun[] runs =
        [
            .. from scenario in scenarios
               from _ in Enumerable.Range(0, repeat)
               select new ScenarioRun(scenario, isFinal: true).Start(),
        ];
        if (SpinWait.SpinUntil(() => runs.All(r => r.HasArrived || r.Task.IsCompleted), Limit)) Thread.Sleep(Settle);
        return runs.All(r => r.HasArrived && !r.Task.IsCompleted) ? runs : throw new ScenarioException(Complaint(runs));
    }

    private static string Complaint(ScenarioRun[] runs) =>
        string.Join(Environment.NewLine, runs.Where(r => r.Task.IsCompleted || !r.HasArrived).Select(Complaint));

    private static string Complaint(ScenarioRun run)
    {
        string name = run.Scenario.Name;
        if (run.Task.IsCompleted) return $"{name} ended instead of waiting: {run.Task.Exception?.ToString() ?? run.Task.Status.ToString()}";
        string missing = string.Join(", ", run.Stacks.Where(s => s.Leaf is null).Select(s => s.Name));
        return $"{name} did not arrive at its gate: {(missing.Length == 0 ? "no stack was noted" : missing)}";
    }
}
