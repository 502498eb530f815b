using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Sos;

/// <summary>What does not fit or is missing is one line, and the host goes on: it runs a second command each time.</summary>
[Trait("Category", "Integration")]
[Collection(DumpCollection.Name)]
public sealed class UnsupportedRequestTests(ScenarioDump dump)
{
    [Theory]
    [InlineData(8, 9)]
    [InlineData(9, 10)]
    [InlineData(10, 9)]
    public void A_plugin_for_another_host(int host, int plugin)
    {
        string[] said = new SosHost { Major = host, Extension = SosHost.PluginFor(plugin) }.Run(dump.Path, "dumpasync2", "dumpasync2");
        Assert.Matches($"^Extension load failure - [^\n]*DebugServices, Version={plugin}\\.0\\.0\\.0[^\n]*\n$", said[0]);
        Assert.All(said[1..], text => Assert.Equal("Unrecognized SOS command 'dumpasync2'\n", text));
    }

    [Theory]
    [InlineData("Async2.Analysis")]
    [InlineData("Iced")]
    public void A_missing_library(string library)
    {
        using var folder = new TemporaryFolder();
        foreach (string file in Directory.GetFiles(Path.GetDirectoryName(SosHost.PluginFor(10))!))
        {
            if (Path.GetFileNameWithoutExtension(file) != library)
                File.Copy(file, folder.PathOf(Path.GetFileName(file)));
        }
        string[] said = new SosHost { Extension = folder.PathOf("Async2.Sos.dll") }.Run(dump.Path, "dumpasync2", "dumpasync2 --coalesce", "dumpasync2 --help");
        Assert.All(said[1..3], text => Assert.Matches($"^ERROR: dumpasync2 cannot load {library}, which belongs to it; install it again: dotnet-async2 sos install\n$", text));
        Assert.StartsWith("dumpasync2: shows what every async method waits for.", said[3]);
    }

    [Theory]
    [InlineData("--bogus", "Unrecognized command or argument '--bogus'.")]
    [InlineData("1234", "Unrecognized command or argument '1234'.")]
    [InlineData("--address zebra", "--address needs an address in hex, not 'zebra'; type --address 0x7f2a0010c8, as an earlier answer shows it")]
    [InlineData("-mt 0", "--methodtable needs an address in hex, not '0'; type --methodtable 0x7f2a0010c8, as an earlier answer shows it")]
    [InlineData("--limit 0", "--limit needs a number above 0, not '0'; type --limit 20")]
    [InlineData("--limit x", "--limit needs a number above 0, not 'x'; type --limit 20")]
    public void A_wrong_option(string options, string line)
        => Assert.Equal([$"ERROR: {line}\n", $"ERROR: {line}\n"], new SosHost().Run(dump.Path, "dumpasync2 " + options, "dumpasync2 " + options)[1..]);
}
