using System.Text.Json;

namespace Net11Fixture.Support;

/// <summary>A method and the line it stands at; line 0 where a thread executes it and no line is claimed.</summary>
public sealed record TruthFrame(string Method, string File, int Line);

/// <summary>What a reader must find, written by who laid it out.</summary>
public static class Truth
{
    private static readonly List<object> Stacks = [];
    private static readonly List<object> Kept = [];

    public static string Situation { get; set; } = "";

    /// <param name="stack">Its name.</param>
    /// <param name="frames">Innermost first.</param>
    public static void Add(string stack, IEnumerable<TruthFrame> frames)
        => Stacks.Add(new { scenario = Situation, stack, frames = frames.Select(f => new { method = f.Method, file = f.File, line = f.Line }).ToArray() });

    /// <summary>Holds an object as long as the process lives.</summary>
    public static T Keep<T>(T kept)
        where T : class
    {
        Kept.Add(kept);
        return kept;
    }

    public static string ToJson() => JsonSerializer.Serialize(new { schema = "scenarios.truth/1", runtimeAsync = true, stacks = Stacks });
}
