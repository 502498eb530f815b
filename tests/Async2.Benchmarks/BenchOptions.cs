using System.Globalization;
using Async2.Benchmarks.Measures;

namespace Async2.Benchmarks;

/// <summary>What the user asked for.</summary>
internal sealed record BenchOptions
{
    private const int LeastRounds = 5;
    private const int QuickRounds = 2;

    /// <summary>How often each thing is measured.</summary>
    public int Rounds { get; private init; } = LeastRounds;

    /// <summary>Few rounds, without the big workloads; to see that all of it works.</summary>
    public bool Quick { get; private init; }

    /// <summary>Names of workloads, <c>growth</c>, <c>cold</c>, <c>tasklets-1m</c>, <c>live</c>, <c>heap</c> and <c>startup</c>; empty for all.</summary>
    public IReadOnlyList<string> Only { get; private init; } = [];

    /// <summary>Path of the tool's dll; null for the one of this checkout.</summary>
    public string? Tool { get; private init; }

    /// <summary>Puts the table into docs/performance.md.</summary>
    public bool Write { get; private init; }

    public int MemoryRounds => Quick ? 1 : 3;

    /// <summary>The command that makes the same table, without paths of this machine.</summary>
    public string CommandLine
    {
        get
        {
            string[] words =
            [
                .. Quick ? (string[])["--quick"] : [],
                .. Rounds != (Quick ? QuickRounds : LeastRounds) ? (string[])["--rounds", Rounds.ToString(CultureInfo.InvariantCulture)] : [],
                .. Only.Count > 0 ? (string[])["--only", string.Join(',', Only)] : [],
                .. Tool is not null ? (string[])["--tool", "PATH"] : [],
            ];
            return "npm run bench" + (words.Length > 0 ? " -- " + string.Join(' ', words) : "");
        }
    }

    public bool Wants(string name) => Only.Count == 0 || Only.Contains(name);

    /// <exception cref="FormatException">The message says what is wrong.</exception>
    public static BenchOptions Parse(string[] args)
    {
        var options = new BenchOptions { Quick = args.Contains("--quick"), Rounds = args.Contains("--quick") ? QuickRounds : LeastRounds };
        for (int i = 0; i < args.Length; i++)
        {
            options = args[i] switch
            {
                "--quick" => options,
                "--write" => options with { Write = true },
                "--rounds" => options with { Rounds = Number(Value(args, ref i)) },
                "--only" => options with { Only = Names(Value(args, ref i)) },
                "--tool" => options with { Tool = Path.GetFullPath(Value(args, ref i)) },
                var unknown => throw new FormatException($"unknown option {unknown}: there are --rounds N, --only NAME,..., --quick, --tool PATH and --write"),
            };
        }
        return options;
    }

    private static string Value(string[] args, ref int i)
        => i + 1 < args.Length ? args[++i] : throw new FormatException($"{args[i]} wants a value");

    private static int Number(string text)
        => int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int number) && number > 0
            ? number
            : throw new FormatException($"--rounds wants a number above 0, not {text}");

    private static string[] Names(string text)
    {
        string[] known = [.. Workload.All.Select(workload => workload.Name), GrowthMeasures.Name, ColdMeasures.Name, TaskletMeasures.Name, LiveMeasures.Name, HeapMeasures.Name, StartupMeasures.Name];
        string[] names = text.Split(',');
        return names.FirstOrDefault(name => !known.Contains(name)) is { } unknown
            ? throw new FormatException($"there is no workload {unknown}: there are {string.Join(", ", known)}")
            : names;
    }
}
