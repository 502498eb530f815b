namespace Async2.Testing;

/// <summary>After what time VSTest's own hang dump comes, so that stacks come before it.</summary>
internal static class BlameTimeout
{
    private const string Timeout = "TestTimeout=";

    // Blame takes a bare number for milliseconds.
    private const string BareUnit = "ms";

    /// <summary>Of a command line: <c>--Blame:CollectHangDump;TestTimeout=20m</c>; null if there is none.</summary>
    public static TimeSpan? Of(IEnumerable<string> words)
    {
        string? blame = words.LastOrDefault(word => word.TrimStart('-', '/').StartsWith("Blame:", StringComparison.OrdinalIgnoreCase));
        string? timeout = blame?.Split(';', ':').LastOrDefault(part => part.StartsWith(Timeout, StringComparison.OrdinalIgnoreCase));
        return timeout is null ? null : HangTime.Parse(timeout[Timeout.Length..], BareUnit);
    }
}
