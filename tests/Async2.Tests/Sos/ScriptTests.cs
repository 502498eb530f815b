using System.Text.RegularExpressions;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Sos;

/// <summary>
/// What SOS's own test demands of dumpasync holds for ours (dotnet/diagnostics, src/tests/SOS.UnitTests/Scripts/WebApp.script): the same
/// expressions on the same commands, for runtime-async and for classic methods.
/// </summary>
[Trait("Category", "Integration")]
public sealed class ScriptTests
{
    // SOSRunner.HexValueRegEx and DecValueRegEx.
    private const string Hex = "[A-Fa-f0-9]+(`[A-Fa-f0-9]+)?";
    private const string Decimal = "[,0-9]+(`[,0-9]+)?";
    private const string Frame = @"\s*<HEXVAL>\s+<HEXVAL>\s+\((<DECVAL>)?\)\s+.*";

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void The_expressions_of_SOS_match(bool runtimeAsync)
    {
        using ScenarioProcess process = ScenarioProcess.Start(runtimeAsync ? ScenarioBuild.Release : ScenarioBuild.Classic, ["--only", "NestedCalls,TaskDelay,PoolingBuilder"]);
        string target = $"{process.Pid}";
        string[] said = new SosHost().Run(target, "DumpAsync2 --completed", "DumpAsync2 --stats", "DumpAsync2 --coalesce");
        Demand(said[1], @"\s*STACK <DECVAL>\s*", Frame);
        Demand(said[2], @"\s+MT\s+Count\s+Type\s+", @"\s*<HEXVAL>\s+<DECVAL>\s+.*");
        Assert.DoesNotMatch(".*UNKNOWN.*", said[2]);
        Demand(said[3], @"\s*STACKS <DECVAL>\s*", @"\s*\[<DECVAL>\]\s+<HEXVAL>\s+\((<DECVAL>)?\)\s+.*");

        string table = Regex.Match(said[2], Expression(@"\s+MT\s+Count\s+Type\s+(<HEXVAL>)\s+<DECVAL>\s+.*"), RegexOptions.Multiline).Groups[1].Value;
        Demand(new SosHost().Run(target, $"DumpAsync2 --methodtable 0x{table}"), @"\s*STACK <DECVAL>\s*", Frame);
    }

    private static void Demand(string text, params string[] expressions)
        => Assert.All(expressions, expression => Assert.True(Regex.IsMatch(text, Expression(expression), RegexOptions.Multiline), $"{expression}\n{text}"));

    private static string Expression(string written) => written
        .Replace("<HEXVAL>", Hex, StringComparison.Ordinal).Replace("<DECVAL>", Decimal, StringComparison.Ordinal);
}
