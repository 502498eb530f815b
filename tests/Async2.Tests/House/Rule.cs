namespace Async2.Tests.House;

/// <summary>Fails with all violations in full: the message is the list of what to fix.</summary>
internal static class Rule
{
    public static void Holds(IEnumerable<string> violations)
    {
        string[] all = [.. violations];
        Assert.True(all.Length == 0, string.Join('\n', all));
    }
}
