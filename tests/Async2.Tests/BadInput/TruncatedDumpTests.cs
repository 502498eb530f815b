using System.Globalization;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.BadInput;

/// <summary>
/// A truncated dump, because the disk was full or a copy was interrupted: at every length a refusal or a partial answer
/// that says how much there is, and never the word that all is well.
/// </summary>
[Trait("Category", "Integration")]
[Collection(DumpCollection.Name)]
public sealed class TruncatedDumpTests(ScenarioDump dump, ITestOutputHelper output)
{
    private static readonly double[] Shares = [0.99, 0.95, 0.92, 0.88, 0.75, 0.5, 0.2, 0.02];

    [Fact]
    public void A_dump_truncated_anywhere_says_how_much_exists()
    {
        string path = dump.Copy();
        long whole = new FileInfo(path).Length;
        foreach (long length in Shares.Select(share => (long)(share * whole)).Concat([whole / 1000, 65_536, 1024, 100]))
        {
            Cut(path, length);
            ToolRun run = ToolRun.Of(path);
            output.WriteLine($"{length}: {run.ExitCode} {run.Error}{run.Output.Split('\n')[0]}");
            Outcome.IsSane(run);
            Outcome.IsNotWhole(run);
            string has = length.ToString("N0", CultureInfo.InvariantCulture);
            Assert.Contains($"the dump is truncated: it has {has} of ", run.Error + run.Output, StringComparison.Ordinal);
            if (length >= 65_536)
                Assert.Contains($"of {whole.ToString("N0", CultureInfo.InvariantCulture)} bytes", run.Error + run.Output, StringComparison.Ordinal);
            if (run.Output.Length > 0)
                Assert.Contains("A2D3004", run.Output, StringComparison.Ordinal);
            else
                Outcome.IsRefusal(run, 3, "truncated", "dotnet-async2 dump collect PID");
        }
    }

    [Fact]
    public void One_byte_less_is_noticed()
    {
        string path = dump.Copy();
        Cut(path, new FileInfo(path).Length - 1);
        ToolRun run = ToolRun.Of(path);
        Assert.Equal((4, ""), (run.ExitCode, run.Error));
        Assert.StartsWith("at least 4 stacks", run.Output, StringComparison.Ordinal);
        Assert.Contains("A2D3004", run.Output, StringComparison.Ordinal);
    }

    private static void Cut(string path, long length)
    {
        using FileStream file = File.OpenWrite(path);
        file.SetLength(length);
    }
}
