namespace Async2.Dump.Cli;

/// <summary>What the tool tells the shell; part of the public contract.</summary>
internal static class ExitCodes
{
    /// <summary>The answer is whole.</summary>
    public const int Fine = 0;

    /// <summary>The command line makes no sense.</summary>
    public const int Usage = 2;

    /// <summary>The target cannot be read: there is no answer.</summary>
    public const int Unreadable = 3;

    /// <summary>The target was read, but the answer misses something; its last lines say what.</summary>
    public const int Partial = 4;

    /// <summary>The user interrupted; what was printed is what was known by then.</summary>
    public const int Interrupted = 130;
}
