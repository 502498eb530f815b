using System.Xml;

namespace Async2.Testing;

/// <summary>What a runsettings file says to a collector.</summary>
/// <param name="Limit">How long a test may take.</param>
/// <param name="Tool">The tool's file; null to look for it.</param>
/// <param name="Wrong">What is to be said about a time that is not one; null for nothing.</param>
internal sealed record CollectorSettings(TimeSpan Limit, string? Tool, string? Wrong)
{
    private const string TimeoutVariable = "ASYNC2_HANG_TIMEOUT";

    /// <summary>Reads the element <c>Configuration</c>.</summary>
    /// <param name="configuration">The element; null for none.</param>
    /// <param name="runner">Says when a hang dump comes.</param>
    public static CollectorSettings Of(XmlElement? configuration, ConsoleRunner runner)
    {
        string? given = configuration?["HangTimeout"]?.InnerText.Trim() ?? Environment.GetEnvironmentVariable(TimeoutVariable), tool = configuration?["Tool"]?.InnerText.Trim();
        TimeSpan usual = HangTime.LimitBefore(BlameTimeout.Of(runner.Words));
        if (given is null)
            return new(usual, tool, null);
        return HangTime.Parse(given) is { } limit ? new(limit, tool, null)
            : new(usual, tool, $"async2: '{given}' is not a time: give it as 90s, 5m or 1.5h; {HangTime.TextOf(usual)} is used");
    }

    /// <summary>The same of its text, as VSTest gives it to what runs in the test host; what is not XML says nothing.</summary>
    public static CollectorSettings Of(string? configuration, ConsoleRunner runner)
    {
        try
        {
            if (string.IsNullOrEmpty(configuration))
                return Of((XmlElement?)null, runner);
            var document = new XmlDocument { XmlResolver = null };
            document.LoadXml(configuration);
            return Of(document.DocumentElement, runner);
        }
        catch (XmlException)
        {
            return Of((XmlElement?)null, runner);
        }
    }
}
