using System.Diagnostics;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Targets.Files;

namespace Async2.Tests.Metadata;

public sealed class PdbLocatorTests : IDisposable
{
    private static readonly FixtureModule Module = FixtureModule.Async;
    private static readonly string RealPdb = Path.ChangeExtension(Module.Path, ".pdb");
    private static readonly string OtherPdb = Path.ChangeExtension(FixtureModule.Unoptimized.Path, ".pdb");

    private readonly DirectoryInfo _directory = Directory.CreateTempSubdirectory("a2d-pdb-");

    public void Dispose() => _directory.Delete(recursive: true);

    [Fact]
    public void The_pdb_beside_the_module_is_found()
    {
        var search = new PdbLocator([]).Find(Module.Path, Module.Image.CodeView);
        Assert.Equal((PdbOutcome.Found, RealPdb), (search.Outcome, search.Path));
        Assert.Equal(Module.Image.CodeView!.Id, search.Pdb!.Id);
    }

    [Fact]
    public void The_compilers_own_path_is_tried_when_the_module_is_elsewhere()
    {
        var search = new PdbLocator([]).Find(Path.Combine(_directory.FullName, "NamesFixture.dll"), Module.Image.CodeView);
        Assert.Equal((PdbOutcome.Found, Module.Image.CodeView!.Path), (search.Outcome, search.Path));
    }

    [Theory]
    [InlineData("NamesFixture.pdb")]
    [InlineData("below/NamesFixture.pdb")]
    [InlineData("NamesFixture.pdb/{id}FFFFFFFF/NamesFixture.pdb")]
    public void The_users_directories_come_first(string place)
    {
        var path = Put(RealPdb, place.Replace("{id}", Module.Image.CodeView!.Id.Guid.ToString("N"), StringComparison.Ordinal));
        var search = new PdbLocator([_directory.FullName]).Find(Module.Path, Module.Image.CodeView);
        Assert.Equal((PdbOutcome.Found, path), (search.Outcome, search.Path));
    }

    [Fact]
    public void Deeper_directories_are_not_searched()
    {
        Put(RealPdb, "one/two/NamesFixture.pdb");
        Assert.Equal(PdbOutcome.NotFound, Find().Outcome);
    }

    [Fact]
    public void A_pdb_of_another_build_is_not_used_but_reported()
    {
        var path = Put(OtherPdb, "NamesFixture.pdb");
        var search = Find();
        Assert.Equal(PdbOutcome.Mismatched, search.Outcome);
        Assert.Null(search.Pdb);
        Assert.Contains(new PdbCandidate(path, PdbMatch.OtherBuild), search.Tried);
    }

    [Fact]
    public void A_wrong_one_does_not_hide_the_right_one()
    {
        Put(OtherPdb, "NamesFixture.pdb");
        var path = Put(RealPdb, "below/NamesFixture.pdb");
        var search = Find();
        Assert.Equal((PdbOutcome.Found, path), (search.Outcome, search.Path));
        Assert.Equal([PdbMatch.OtherBuild, PdbMatch.Matches], search.Tried.Select(t => t.Match));
    }

    [Fact]
    public void A_windows_pdb_is_not_portable()
    {
        var path = Path.Combine(_directory.FullName, "NamesFixture.pdb");
        File.WriteAllText(path, "Microsoft C/C++ MSF 7.00\r\n");
        Assert.Contains(new PdbCandidate(path, PdbMatch.NotPortable), Find().Tried);
    }

    [Fact]
    public void Nothing_found_says_where_it_searched()
    {
        var search = Find();
        Assert.Equal(PdbOutcome.NotFound, search.Outcome);
        Assert.Equal(
            [Path.Combine(_directory.FullName, "NamesFixture.pdb"), "/gone/bin/NamesFixture.pdb", "/gone/obj/NamesFixture.pdb"],
            search.Tried.Select(t => t.Path));
    }

    [Fact]
    public void An_embedded_pdb_is_taken()
    {
        var classic = FixtureModule.Classic;
        var search = new PdbLocator([]).Find(null, classic.Image.CodeView, classic.Image);
        Assert.Equal((PdbOutcome.Found, null), (search.Outcome, search.Path));
    }

    [Fact]
    public void A_stale_pdb_beside_the_module_does_not_hide_the_embedded_one()
    {
        var classic = FixtureModule.Classic;
        string stale = Put(OtherPdb, Path.GetFileName(Path.ChangeExtension(classic.Path, ".pdb")));
        var search = new PdbLocator([_directory.FullName]).Find(Path.ChangeExtension(stale, ".dll"), classic.Image.CodeView, classic.Image);
        Assert.Equal((PdbOutcome.Found, null), (search.Outcome, search.Path));
    }

    [Fact]
    public void A_module_that_names_no_pdb_gets_none() =>
        Assert.Equal(PdbOutcome.NoIdentity, new PdbLocator([]).Find(Module.Path, null).Outcome);

    [Fact]
    public void A_pipe_is_not_opened()
    {
        if (OperatingSystem.IsWindows()) return;
        var pipe = Path.Combine(_directory.FullName, "pipe");
        using (var mkfifo = Process.Start("mkfifo", pipe)) mkfifo.WaitForExit();
        File.CreateSymbolicLink(Path.Combine(_directory.FullName, "NamesFixture.pdb"), pipe);
        var search = Find();
        Assert.Equal(PdbMatch.Unreadable, search.Tried[0].Match);
        Assert.Null(ModuleImage.OpenFile(pipe));
    }

    [Theory]
    [InlineData("../../../etc/passwd")]
    [InlineData("..")]
    [InlineData("a\0b.pdb")]
    [InlineData("")]
    [InlineData("C:\\x\\..\\")]
    public void A_hostile_path_stays_in_the_users_directory(string codeViewPath)
    {
        var codeView = Module.Image.CodeView! with { Path = codeViewPath };
        var search = new PdbLocator([_directory.FullName]).Find(null, codeView);
        Assert.Equal(PdbOutcome.NotFound, search.Outcome);
        Assert.All(search.Tried, t => Assert.Equal(_directory.FullName, Path.GetDirectoryName(t.Path)));
    }

    [Theory]
    [InlineData("\\\\server\\share\\a.pdb")]
    [InlineData("//server/share/a.pdb")]
    [InlineData("\\\\?\\UNC\\server\\share\\a.pdb")]
    [InlineData("\\\\.\\pipe\\a")]
    [InlineData("\\??\\UNC\\server\\a.pdb")]
    [InlineData("C:a.pdb")]
    [InlineData("a.pdb")]
    [InlineData("")]
    public void Windows_paths_that_may_leave_the_machine_are_refused(string path) => Assert.False(TargetPath.IsLocalOnWindows(path));

    [Theory]
    [InlineData("/src/bin/Shop.pdb", "Shop.pdb")]
    [InlineData("C:\\src\\bin\\Shop.pdb", "Shop.pdb")]
    [InlineData("C:\\src/bin\\", null)]
    [InlineData("Shop.pdb", "Shop.pdb")]
    [InlineData("C:Shop.pdb", null)]
    [InlineData("/x/..", null)]
    public void The_file_name_is_found_in_paths_of_any_system(string path, string? name) => Assert.Equal(name, TargetPath.FileName(path));

    /// <summary>Looks for the PDB of a module that was built in /gone.</summary>
    private PdbSearch Find() => new PdbLocator([_directory.FullName])
        .Find("/gone/bin/NamesFixture.dll", Module.Image.CodeView! with { Path = "/gone/obj/NamesFixture.pdb" });

    private string Put(string pdb, string place)
    {
        var path = Path.Combine(_directory.FullName, place);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.Copy(pdb, path);
        return path;
    }
}
