namespace Async2.Analysis.Query;

/// <summary>A value of a query that is not valid; the message names the option, and the fix is what to type instead.</summary>
/// <param name="message">What is wrong, one sentence.</param>
/// <param name="fix">What to type instead.</param>
public sealed class QueryException(string message, string fix) : Exception(message)
{
    /// <summary>What to type instead.</summary>
    public string Fix { get; } = fix;
}
