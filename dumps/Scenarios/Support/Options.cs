using System.Globalization;

namespace Scenarios.Support;

/// <summary>What the command line asks for.</summary>
public sealed record Options
{
    public const string Usage = """
        Scenarios [--only NAME[,NAME]] [--warm N | --cold] [--repeat K] [--truth FILE]
        Scenarios --chains C --depth D [--truth FILE]
        Scenarios --list
        """;

    public bool List { get; private init; }

    public string[] Only { get; private init; } = [];

    public int Warm { get; private init; }

    public int Repeat { get; private init; } = 1;

    public int Chains { get; private init; }

    public int Depth { get; private init; } = 100;

    public string? TruthFile { get; private init; }

    public static Options Parse(string[] args)
    {
        var options = new Options();
        for (int i = 0; i < args.Length; i++)
        {
            options = args[i] switch
            {
                "--list" => options with { List = true },
                "--cold" => options with { Warm = 0 },
                "--only" => options with { Only = Value(args, ref i).Split(',', StringSplitOptions.RemoveEmptyEntries) },
                "--warm" => options with { Warm = Number(args, ref i, 0) },
                "--repeat" => options with { Repeat = Number(args, ref i, 1) },
                "--chains" => options with { Chains = Number(args, ref i, 1) },
                "--depth" => options with { Depth = Number(args, ref i, 1) },
                "--truth" => options with { TruthFile = Value(args, ref i) },
                _ => throw new FormatException($"'{args[i]}' is not an option."),
            };
        }
        return options;
    }

    /// <summary>The scenarios asked for, in order of name.</summary>
    public Scenario[] Choose()
    {
        string[] unknown = Only.Except(Scenario.All.Select(s => s.Name)).ToArray();
        if (unknown.Length > 0) throw new FormatException($"No scenario is named '{string.Join("', '", unknown)}': see --list.");
        return Only.Length == 0 ? Scenario.All : Scenario.All.Where(s => Only.Contains(s.Name)).ToArray();
    }

    private static string Value(string[] args, ref int i) =>
        i + 1 < args.Length ? args[++i] : throw new FormatException($"'{args[i]}' needs a value.");

    private static int Number(string[] args, ref int i, int least)
    {
        string option = args[i];
        if (int.TryParse(Value(args, ref i), NumberStyles.None, CultureInfo.InvariantCulture, out int number) && number >= least) return number;
        throw new FormatException($"'{option}' needs a number of at least {least}.");
    }
}
