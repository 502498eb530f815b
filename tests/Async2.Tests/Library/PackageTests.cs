using System.IO.Compression;
using System.Xml.Linq;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Library;

/// <summary>The library as a package: what somebody needs who has nothing but it.</summary>
[Trait("Category", "Integration")]
public sealed class PackageTests
{
    [Fact]
    public void The_library_packs()
    {
        using var folder = new TemporaryFolder();
        string configuration = AppContext.BaseDirectory.Contains("/Release/", StringComparison.Ordinal) ? "Release" : "Debug";
        ToolRun run = ToolRun.OfDotnet(
            "pack", Repository.PathOf("src", "Async2.Analysis", "Async2.Analysis.csproj"), "-c", configuration, "--no-build", "--no-restore", "-o", folder.PathOf("packed"), "-v", "quiet", "-nodeReuse:false");
        Assert.True(run.ExitCode == 0, run.Output + run.Error);
        string path = Assert.Single(Directory.GetFiles(folder.PathOf("packed"), "*.nupkg"));
        using ZipArchive package = ZipFile.OpenRead(path);
        string[] names = [.. package.Entries.Select(entry => entry.FullName)];
        Assert.Contains("lib/net8.0/Async2.Analysis.dll", names);
        Assert.Contains("lib/net8.0/Async2.Analysis.xml", names);
        Assert.Contains("README.md", names);
        using Stream nuspec = package.GetEntry("Async2.Analysis.nuspec")!.Open();
        Dictionary<string, string> facts = XDocument.Load(nuspec).Descendants().Where(element => !element.HasElements).GroupBy(element => element.Name.LocalName).ToDictionary(all => all.Key, all => all.First().Value);
        Assert.Equal("MIT", facts["license"]);
        Assert.Equal("README.md", facts["readme"]);
        Assert.StartsWith("Rebuilds logical async stacks", facts["description"], StringComparison.Ordinal);
        using ZipArchive symbols = ZipFile.OpenRead(Assert.Single(Directory.GetFiles(folder.PathOf("packed"), "*.snupkg")));
        Assert.Contains(symbols.Entries, entry => entry.FullName == "lib/net8.0/Async2.Analysis.pdb");
    }
}
