namespace Async2.Dump.Cli;

/// <summary>The tool's exit codes; part of the public contract.</summary>
internal static class ExitCodes
{
    /// <summary>The answer is complete.</summary>
    public const int Fine = 0;

    /// <summary><c>check</c> found something.</summary>
    public const int Found = 1;

    /// <summary>The command line is not valid.</summary>
    public const int Usage = 2;

    /// <summary>The target cannot be read: there is no answer.</summary>
    public const int Unreadable = 3;

    /// <summary>The target was read, but the answer is incomplete; its last lines say what is missing.</summary>
    public const int Partial = 4;

    /// <summary>The user interrupted; the output has what was found until then.</summary>
    public const int Interrupted = 130;
}
