namespace Async2.Analysis.Model;

/// <summary>State of a logical stack, in the words of Visual Studio's Tasks window.</summary>
public enum StackState
{
    /// <summary>Suspended; waits for something that has not happened.</summary>
    Awaiting,

    /// <summary>What it waited for has happened; queued to run.</summary>
    Scheduled,

    /// <summary>A thread executes it now.</summary>
    Active,

    /// <summary>A thread blocks synchronously in it.</summary>
    Blocked,

    /// <summary>Part of a cycle of waits.</summary>
    Deadlocked,

    /// <summary>Finished; still on the heap.</summary>
    Completed,
}
