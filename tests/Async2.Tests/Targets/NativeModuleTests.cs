using Async2.Analysis.Targets.Elf;
using Async2.Analysis.Targets.Files;
using Async2.Analysis.Targets.Libraries;
using Async2.Tests.Support;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Targets;

/// <summary>Exported symbols are found as the loader finds them, in memory or in the file.</summary>
public sealed class NativeModuleTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_symbol_is_found_in_memory(bool isOld)
    {
        using NativeModule module = Open(new LibraryDrawing { IsOld = isOld }.Memory(), null)!;
        Assert.Equal((ExportSearch.Found, LibraryDrawing.Bias + LibraryDrawing.Descriptor), Find(module, "DotNetAsync2ContractDescriptor"u8));
        Assert.Equal((ExportSearch.Found, LibraryDrawing.Bias + LibraryDrawing.Head), Find(module, "g_head"u8));
        Assert.Equal(ExportSearch.Missing, Find(module, "g_hea"u8).Search);
        Assert.Equal(ExportSearch.Missing, Find(module, "g_head2"u8).Search);
        Assert.Equal(ExportSearch.Missing, Find(module, "DotNetRuntimeContractDescriptor"u8).Search);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_symbol_is_found_in_the_file_when_memory_has_nothing(bool isOld)
    {
        using NativeModule module = Open([], new LibraryDrawing { IsOld = isOld }.File())!;
        Assert.Equal((ExportSearch.Found, LibraryDrawing.Bias + LibraryDrawing.Head), Find(module, "g_head"u8));
    }

    [Fact]
    public void Pointers_of_the_file_are_as_a_loader_makes_them()
    {
        using NativeModule module = Open([], new LibraryDrawing().File())!;
        Assert.True(module.TryReadPointer(LibraryDrawing.Bias + 0x2308, out ulong head));
        Assert.Equal(LibraryDrawing.Bias + LibraryDrawing.Head, head);
        Assert.True(module.TryReadPointer(LibraryDrawing.Bias + 0x2300, out ulong nothing));
        Assert.Equal(0ul, nothing);
        Assert.True(module.TryReadPointer(LibraryDrawing.Bias + 0x2220, out ulong pointers));
        Assert.Equal(LibraryDrawing.Bias + 0x2300, pointers);
        Assert.False(module.TryReadPointer(LibraryDrawing.Bias + 0x9000, out _));
    }

    [Fact]
    public void A_file_that_is_not_a_library_gives_nothing()
    {
        Assert.Null(Open([], null));
        Assert.Null(Open(new byte[4096], null));
        Assert.Null(Open([], new byte[4096]));
        byte[] half = new LibraryDrawing().Memory();
        half[4] = 1;
        Assert.Null(Open(half, null));
    }

    [Fact]
    public void The_installed_runtime_exports_its_contract()
    {
        string path = Path.Join(Path.GetDirectoryName(typeof(object).Assembly.Location), "libcoreclr.so");
        using NativeModule module = NativeModule.Open(ByteMemory.At(0, []), "libcoreclr.so", LibraryDrawing.Bias, () => ElfFile.Open(path))!;
        Assert.Equal(ExportSearch.Found, Find(module, "DotNetRuntimeContractDescriptor"u8).Search);
        Assert.Equal(ExportSearch.Found, Find(module, "g_dacTable"u8).Search);
        Assert.Equal(ExportSearch.Missing, Find(module, "DotNetAsync2ContractDescriptor"u8).Search);
    }

    [Fact]
    public void Damage_gives_an_error_and_no_crash()
    {
        byte[] whole = new LibraryDrawing().Memory();
        var random = new Random(7);
        for (int round = 0; round < 3000; round++)
        {
            byte[] damaged = [.. whole];
            for (int i = random.Next(1, 6); i > 0; i--)
            {
                // The header, symbols and tables; then the dynamic section.
                int at = random.Next(2) == 0 ? random.Next(4, 0x800) : random.Next(0x2000, 0x2080);
                damaged[at] = (byte)random.Next(256);
            }
            using NativeModule? module = Open(damaged, null);
            module?.FindExport("g_head"u8, out _);
            module?.FindExport("nothing"u8, out _);
        }
    }

    public void Dispose() => _folder.Dispose();

    private NativeModule? Open(byte[] memory, byte[]? file)
    {
        string path = _folder.PathOf("lib.so");
        if (file is not null)
            File.WriteAllBytes(path, file);
        return NativeModule.Open(ByteMemory.At(LibraryDrawing.Bias, memory), "lib.so", LibraryDrawing.Bias, () => file is null ? null : ElfFile.Open(path));
    }

    private static (ExportSearch Search, ulong Address) Find(NativeModule module, ReadOnlySpan<byte> name)
        => module.FindExport(name, out ulong address) is var search && search == ExportSearch.Found ? (search, address) : (search, 0);
}
