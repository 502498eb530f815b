namespace Async2.Dump.Cli;

/// <summary>The command line is well-formed but asks for something impossible; the user has to type something else.</summary>
/// <param name="message">What is wrong, one sentence.</param>
/// <param name="fix">What to type instead.</param>
internal sealed class UsageException(string message, string fix) : Exception(message)
{
    /// <summary>What to type instead.</summary>
    public string Fix { get; } = fix;
}
