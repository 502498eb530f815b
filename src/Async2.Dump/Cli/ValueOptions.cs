using System.CommandLine;
using Async2.Analysis.Model.Labels;

namespace Async2.Dump.Cli;

/// <summary>The options for data of people: requests, values that programs give along, texts of waits.</summary>
internal sealed class ValueOptions
{
    private Option<bool> Redact { get; } = new("--redact") { Description = "Leave out values: paths, texts such as SQL, command line and host name" };

    private Option<bool> Show { get; } = new("--show-values") { Description = "Show queries of addresses, which are masked otherwise" };

    /// <summary>In help order.</summary>
    public IEnumerable<Option> All => [Redact, Show];

    /// <exception cref="UsageException">Both are given.</exception>
    public ShownValues Of(ParseResult parsed) => (parsed.GetValue(Redact), parsed.GetValue(Show)) switch
    {
        (true, true) => throw new UsageException("--redact and --show-values contradict each other", "give one of them"),
        (true, false) => ShownValues.None,
        (false, true) => ShownValues.All,
        _ => ShownValues.Masked,
    };
}
