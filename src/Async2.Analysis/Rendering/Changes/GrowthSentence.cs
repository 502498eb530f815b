using System.Globalization;
using Async2.Analysis.Formatting;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Watching;

namespace Async2.Analysis.Rendering.Changes;

/// <summary>What only grows, in words.</summary>
internal static class GrowthSentence
{
    // "1 of 14 groups only grows, by 45 stacks over 4 looks in 3 min"
    public static string Of(TargetGrowth growth)
    {
        long all = growth.Groups.Length + growth.Others;
        string matching = growth.Filter is { } filter ? $" that match {filter}" : "";
        string over = $" over {DisplayText.Count(growth.Targets.Length, "look")}" + (growth.OverMs is { } ms ? " in " + WaitNumbers.Duration(ms) : "");
        return growth.Groups.IsEmpty ? $"nothing only grows: none of {DisplayText.Count(all, "group")}{matching}{over}"
            : $"{DisplayText.Number(growth.Groups.Length)} of {DisplayText.Count(all, "group")}{matching} only {(growth.Groups.Length == 1 ? "grows" : "grow")}, by {DisplayText.Count(growth.Groups.Sum(group => group.Growth), "stack")}{over}";
    }

    // "+15 in 3 min, 5 a minute; none went on"
    public static string Pace(GrowthGroup group, long? over)
    {
        string time = over is { } ms ? " in " + WaitNumbers.Duration(ms) : "";
        string pace = group.PerMinute is { } minute ? $", {minute.ToString("#,##0.#", CultureInfo.InvariantCulture)} a minute" : "";
        string ended = group.Ended switch { null => "", 0 => "; none went on", var count => $"; {DisplayText.Number(count.Value)} went on" };
        return $"+{DisplayText.Number(group.Growth)}{time}{pace}{ended}";
    }
}
