namespace Scenarios.Support;

/// <summary>One run of one scenario: a rehearsal, which completes, or the final one, which stays suspended.</summary>
public sealed class ScenarioRun(Scenario scenario, bool isFinal)
{
    public const string MainStack = "main";

    private readonly List<StackTruth> _stacks = [];

    public Scenario Scenario { get; } = scenario;

    public bool IsFinal { get; } = isFinal;

    /// <summary>Also what keeps the whole stack alive: nothing else holds on to a task that waits forever.</summary>
    public Task Task { get; private set; } = Task.CompletedTask;

    /// <summary>In the order in which the scenario opened them.</summary>
    public StackTruth[] Stacks
    {
        get
        {
            lock (_stacks) return _stacks.Where(s => s.IsUsed).ToArray();
        }
    }

    public bool HasArrived => Stacks is { Length: > 0 } stacks && stacks.All(s => s.Leaf is not null);

    public ScenarioRun Start()
    {
        Task = Scenario.Run(Open(MainStack, []));
        return this;
    }

    internal Trail Open(string name, string[] awaitedBy)
    {
        var stack = new StackTruth(this, name, awaitedBy);
        lock (_stacks) _stacks.Add(stack);
        return stack.Root;
    }
}
