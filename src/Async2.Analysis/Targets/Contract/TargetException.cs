namespace Async2.Analysis.Targets.Contract;

/// <summary>
/// The analysis cannot start. The exception says what happened and why (<see cref="Exception.Message"/>) and what to type next
/// (<see cref="Fix"/>); the library throws nothing else on purpose.
/// </summary>
public sealed class TargetException : Exception
{
    /// <summary>Creates the error.</summary>
    /// <param name="message">What happened and why, one or two sentences.</param>
    /// <param name="fix">What the user can do, ideally a command line.</param>
    /// <param name="inner">The cause, for <c>--verbose</c>.</param>
    public TargetException(string message, string fix, Exception? inner = null)
        : base(message, inner) => Fix = fix;

    /// <summary>What the user can do now.</summary>
    public string Fix { get; }

    /// <summary>There is no process any more: another attempt does not succeed either.</summary>
    public bool HasEnded { get; init; }

    /// <summary>The process was read at an unlucky moment: another attempt may succeed.</summary>
    internal bool MayPass { get; init; }
}
