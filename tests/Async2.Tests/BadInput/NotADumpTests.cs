using System.Diagnostics;
using System.IO.Compression;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.BadInput;

/// <summary>Files that somebody names by mistake.</summary>
[Trait("Category", "Integration")]
public sealed class NotADumpTests : IDisposable
{
    private const string Collect = "dotnet-async2 dump collect PID";
    private const string List = "dotnet-async2 ps";

    private readonly TemporaryFolder _folder = new();

    [Fact]
    public void A_missing_file()
        => Outcome.IsRefusal(ToolRun.Of(_folder.PathOf("none.dmp")), 3, $"There is no dump '{_folder.PathOf("none.dmp")}'", Collect);

    [Fact]
    public void A_folder() => Outcome.IsRefusal(ToolRun.Of(_folder.Path), 3, $"'{_folder.Path}' is a folder", "name the dump file in it");

    [Fact]
    public void An_empty_file() => Refused([], "is empty", Collect);

    [Fact]
    public void A_text() => Refused("Dear diary, today the shop was slow again."u8, "is not a dump: it starts neither like an ELF core nor like a minidump", List);

    [Fact]
    public void Random_bytes()
    {
        byte[] bytes = new byte[10_000];
        new Random(7).NextBytes(bytes);
        Refused(bytes, "is not a dump", List);
    }

    [Fact]
    public void A_file_packed_with_gzip()
    {
        var packed = new MemoryStream();
        using (var gzip = new GZipStream(packed, CompressionMode.Compress))
            gzip.Write("a dump"u8);
        Refused(packed.ToArray(), "is a compressed file", $"gunzip --stdout '{_folder.PathOf("file.dmp")}'");
    }

    [Fact]
    public void A_file_packed_with_zip()
    {
        var packed = new MemoryStream();
        using (var zip = new ZipArchive(packed, ZipArchiveMode.Create))
            zip.CreateEntry("core");
        Refused(packed.ToArray(), "is a compressed file", "unzip '");
    }

    [Fact]
    public void A_file_packed_with_zstd() => Refused([0x28, 0xb5, 0x2f, 0xfd, 1, 2, 3, 4], "is a compressed file", "zstd -d '");

    [Fact]
    public void A_header_alone() => Refused("\x7f" + "ELF\u0002\u0001\u0001", "is truncated: it has 7 bytes", Collect);

    [Fact]
    public void A_program() => Outcome.IsRefusal(ToolRun.Of("/bin/true"), 3, "'/bin/true' is an ELF program or library, not a core dump", List);

    [Fact]
    public void A_library()
    {
        string library = Path.Join(Path.GetDirectoryName(typeof(object).Assembly.Location), "libcoreclr.so");
        Outcome.IsRefusal(ToolRun.Of(library), 3, "is an ELF program or library, not a core dump", List);
    }

    [Fact]
    public void A_pipe_without_a_writer()
    {
        string pipe = _folder.PathOf("pipe.dmp");
        Process.Start("mkfifo", [pipe]).WaitForExit();
        Outcome.IsRefusal(ToolRun.Of(pipe), 3, "is a pipe or a device", "write it to a file first");
    }

    [Fact]
    public void A_pipe_with_a_writer()
        => Outcome.IsRefusal(ToolRun.Shell("cat /bin/true | $TOOL /dev/stdin"), 3, "is a pipe or a device", "write it to a file first");

    [Fact]
    public void A_name_without_a_process()
        => Outcome.IsRefusal(ToolRun.Of("no-such-program"), 3, "'no-such-program' is neither a pid, nor a file, nor the name of a running .NET process", List);

    [Fact]
    public void A_dump_of_a_native_program()
    {
        Assert.SkipUnless(File.Exists("/usr/bin/gcore"), "gcore (package gdb) is not installed");
        using var sleep = Process.Start("sleep", ["600"]);
        try
        {
            ProcessStartInfo start = new("gcore", ["-o", _folder.PathOf("sleep"), sleep.Id.ToString()]) { RedirectStandardOutput = true, RedirectStandardError = true };
            using Process gcore = Process.Start(start)!;
            gcore.StandardOutput.ReadToEnd();
            gcore.WaitForExit();
        }
        finally
        {
            sleep.Kill();
        }
        Outcome.IsRefusal(ToolRun.Of(_folder.PathOf($"sleep.{sleep.Id}")), 3, "has no .NET runtime: it is a dump of a native program", Collect);
    }

    public void Dispose() => _folder.Dispose();

    private void Refused(string content, string message, string fix) => Refused(System.Text.Encoding.Latin1.GetBytes(content), message, fix);

    private void Refused(ReadOnlySpan<byte> content, string message, string fix)
    {
        string path = _folder.PathOf("file.dmp");
        File.WriteAllBytes(path, content);
        Outcome.IsRefusal(ToolRun.Of(path), 3, $"'{path}' {message}", fix);
    }
}
