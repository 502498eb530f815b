namespace Scenarios.Support;

/// <summary>The truth about one logical stack while its scenario runs.</summary>
public sealed class StackTruth
{
    // A gate nobody can reach is garbage, and so is the stack that waits at it: Run keeps this list alive.
    private readonly List<object> _kept = [];
    private volatile string? _leaf;

    internal StackTruth(ScenarioRun run, string name, string[] awaitedBy)
    {
        Run = run;
        Name = name;
        AwaitedBy = awaitedBy;
        Root = new Trail(this);
    }

    public ScenarioRun Run { get; }

    public string Name { get; }

    public string[] AwaitedBy { get; }

    public Trail Root { get; }

    public string? Note { get; set; }

    /// <summary>What the innermost frame awaits; null until the stack has come to rest.</summary>
    public string? Leaf => _leaf;

    /// <summary>What the awaited object says about itself; null where nothing is claimed.</summary>
    public string? Wait { get; private set; }

    /// <summary>The first stack of a scenario that only opens others has no frame, and is no stack at all.</summary>
    public bool IsUsed => Name != ScenarioRun.MainStack || _leaf is not null || Root.Frames().Any();

    internal void Arrive(string leaf, string? wait)
    {
        Wait = wait;
        _leaf = leaf;
    }

    internal void Keep(object root)
    {
        lock (_kept) _kept.Add(root);
    }
}
