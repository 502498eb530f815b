using System.Diagnostics;
using System.Runtime.Versioning;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Targets.Files;
using Async2.Analysis.Targets.Processes;
using Async2.Analysis.Targets.Runtimes;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Targets;

/// <summary>Whose files may be loaded, and that what was checked is what is loaded.</summary>
[SupportedOSPlatform("linux")]
public sealed class CodeFileTests : IDisposable
{
    private const UnixFileMode Mine = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute | UnixFileMode.GroupRead | UnixFileMode.OtherRead;

    private readonly TemporaryFolder _folder = new();
    private readonly string _library;

    public CodeFileTests()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Linux only");
        _library = _folder.PathOf("lib.so");
        File.WriteAllText(_library, "library");
        File.SetUnixFileMode(_library, Mine);
    }

    [Fact]
    public void The_users_own_file_in_an_own_folder_is_trusted() => Assert.Equal("library", File.ReadAllText(Open(out _)!.LoadPath));

    [Fact]
    public void The_loaded_file_is_the_checked_file()
    {
        CodeFile file = Open(out _)!;
        File.WriteAllText(_library + ".new", "planted");
        File.Move(_library + ".new", _library, overwrite: true);
        Assert.Equal("library", File.ReadAllText(file.LoadPath));
    }

    [Theory]
    [InlineData(UnixFileMode.OtherWrite)]
    [InlineData(UnixFileMode.GroupWrite)]
    public void A_file_that_others_may_write_to_is_not(UnixFileMode others)
    {
        // For a user with a group of his own that one means nothing.
        Assert.SkipUnless(others == UnixFileMode.OtherWrite || ProcessFacts.IsRoot, "the group is private");
        File.SetUnixFileMode(_library, Mine | others);
        Assert.Null(Open(out string? refusal));
        Assert.Equal($"others may write to '{_library}'", refusal);
    }

    [Fact]
    public void A_folder_that_others_may_write_to_is_not_trusted_at_any_depth()
    {
        string open = _folder.PathOf("open"), below = Path.Join(open, "below");
        Directory.CreateDirectory(below);
        File.SetUnixFileMode(open, Mine | UnixFileMode.OtherWrite | UnixFileMode.OtherExecute);
        File.Copy(_library, Path.Join(below, "lib.so"));
        Assert.Null(CodeFile.TryOpen(TargetFiles.Here, Path.Join(below, "lib.so"), out string? refusal));
        Assert.Equal($"others may write to '{open}'", refusal);
    }

    [Fact]
    public void A_file_directly_in_a_folder_like_tmp_is_not()
    {
        string shared = _folder.PathOf("shared");
        Directory.CreateDirectory(shared);
        File.Copy(_library, Path.Join(shared, "lib.so"));
        File.SetUnixFileMode(shared, (UnixFileMode)0x3ff);
        Assert.Null(CodeFile.TryOpen(TargetFiles.Here, Path.Join(shared, "lib.so"), out string? refusal));
        Assert.Contains("others may write to the folder", refusal, StringComparison.Ordinal);
    }

    [Fact]
    public void Another_users_file_is_not_trusted()
    {
        Assert.SkipUnless(ProcessFacts.IsRoot, "only root can give a file away");
        Process.Start("chown", ["65534", _library]).WaitForExit();
        Assert.Null(Open(out string? refusal));
        Assert.Equal($"'{_library}' belongs to another user (65534)", refusal);
    }

    [Fact]
    public void The_target_of_a_link_is_checked_as_well()
    {
        string open = _folder.PathOf("open");
        Directory.CreateDirectory(open);
        File.Copy(_library, Path.Join(open, "lib.so"));
        File.CreateSymbolicLink(_folder.PathOf("good"), "lib.so");
        File.CreateSymbolicLink(_folder.PathOf("bad"), Path.Join(open, "lib.so"));
        Assert.NotNull(CodeFile.TryOpen(TargetFiles.Here, _folder.PathOf("good"), out _));
        File.SetUnixFileMode(open, Mine | UnixFileMode.OtherWrite | UnixFileMode.OtherExecute);
        Assert.Null(CodeFile.TryOpen(TargetFiles.Here, _folder.PathOf("bad"), out string? refusal));
        Assert.Equal($"others may write to '{open}'", refusal);
    }

    [Fact]
    public void Pipes_and_folders_are_not_files_and_do_not_block()
    {
        string pipe = _folder.PathOf("pipe");
        Process.Start("mkfifo", [pipe]).WaitForExit();
        Assert.Null(CodeFile.TryOpen(TargetFiles.Here, pipe, out _));
        Assert.Null(CodeFile.TryOpen(TargetFiles.Here, _folder.Path, out _));
        Assert.Null(RegularFile.Open(pipe));
        Assert.Null(RegularFile.Open("/dev/zero"));
        Assert.Null(RegularFile.Open(_folder.Path));
    }

    [Fact]
    public async Task A_pipe_in_place_of_a_pdb_does_not_block()
    {
        string path = _folder.PathOf("swapped.pdb"), pipe = _folder.PathOf("pipe");
        Process.Start("mkfifo", [pipe]).WaitForExit();
        bool stop = false;
        var swapping = new Thread(() =>
        {
            for (int i = 0; !Volatile.Read(ref stop); i++)
            {
                File.CreateSymbolicLink(path + ".new", i % 2 == 0 ? pipe : _library);
                File.Move(path + ".new", path, overwrite: true);
            }
        });
        swapping.Start();
        int whole = 0;
        Task reading = Task.Run(() =>
        {
            for (int i = 0; i < 5000; i++)
                whole += SafeFile.ReadAllBytes(path) is { Length: 7 } ? 1 : 0;
        }, TestContext.Current.CancellationToken);
        bool ended = await Task.WhenAny(reading, Task.Delay(TimeSpan.FromSeconds(60), TestContext.Current.CancellationToken)) == reading;
        Volatile.Write(ref stop, true);
        swapping.Join();
        Assert.True(ended, "a pipe was waited for");
        Assert.InRange(whole, 1, 5000);
    }

    [Fact]
    public void A_single_file_tool_trusts_no_folder_for_it()
    {
        Assert.Null(RuntimeInstalls.FolderOf(""));
        Assert.Equal("/opt/net", RuntimeInstalls.FolderOf("/opt/net/System.Private.CoreLib.dll"));
        Assert.True(Path.IsPathFullyQualified(RuntimeInstalls.RunningFolder!));
    }

    public void Dispose() => _folder.Dispose();

    private CodeFile? Open(out string? refusal) => CodeFile.TryOpen(TargetFiles.Here, _library, out refusal);
}
