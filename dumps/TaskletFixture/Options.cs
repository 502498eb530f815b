namespace TaskletFixture;

/// <summary>The command line.</summary>
internal sealed record Options
{
    public const string Usage = "TaskletFixture [--situation plain|joined|states|running|empty|many] [--variant v4|v3|v2|shuffled] [--contract none]"
        + " [--stacks N --depth D] [--damage KIND] [--truth FILE] [--layout FILE]";

    public string Situation { get; init; } = "plain";

    public string Variant { get; init; } = "v4";

    public bool NoContract { get; init; }

    public int Stacks { get; init; } = 100;

    public int Depth { get; init; } = 10;

    public string? Damage { get; init; }

    /// <summary>File to write the truth to, too.</summary>
    public string? TruthFile { get; init; }

    /// <summary>File to write the layout to, as one for the tool.</summary>
    public string? LayoutFile { get; init; }

    /// <summary>Null when it makes no sense.</summary>
    public static Options? Parse(string[] words)
    {
        var options = new Options();
        for (int i = 0; i < words.Length; i += 2)
        {
            if (i + 1 == words.Length || options.With(words[i], words[i + 1]) is not { } next)
                return null;
            options = next;
        }
        return options;
    }

    private Options? With(string name, string value) => name switch
    {
        "--situation" when Situations.All.ContainsKey(value) => this with { Situation = value },
        "--variant" when value is "v4" or "v3" or "v2" or "shuffled" => this with { Variant = value },
        "--contract" when value == "none" => this with { NoContract = true },
        "--stacks" when int.TryParse(value, out int count) && count > 0 => this with { Stacks = count, Situation = "many" },
        "--depth" when int.TryParse(value, out int depth) && depth is > 0 and <= 1000 => this with { Depth = depth, Situation = "many" },
        "--damage" when Damages.Rules.ContainsKey(value) => this with { Damage = value },
        "--truth" => this with { TruthFile = value },
        "--layout" => this with { LayoutFile = value },
        _ => null,
    };
}
