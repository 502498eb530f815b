using System.Buffers.Binary;
using System.Reflection.PortableExecutable;
using Async2.Analysis.Code.Modules;

namespace Async2.Tests.Metadata;

public class ModuleImageTests
{
    private static readonly FixtureModule Module = FixtureModule.Async;

    [Fact]
    public void The_debug_directory_is_read()
    {
        Assert.True(Module.Image.CodeView is { IsPortable: true, Age: 1 });
        Assert.EndsWith("NamesFixture.pdb", Module.Image.CodeView!.Path, StringComparison.Ordinal);
        Assert.Equal("SHA256", Module.Image.PdbChecksum!.Algorithm);
        Assert.False(Module.Image.HasEmbeddedPdb);
        Assert.Null(Module.Image.ReadEmbeddedPdb());
        Assert.True(FixtureModule.Classic.Image.HasEmbeddedPdb);
    }

    [Fact]
    public void The_mvid_is_that_of_the_metadata()
    {
        Assert.Equal(Module.Metadata.Mvid, Module.Image.Mvid);
        Assert.Equal("NamesFixture.dll", Module.Metadata.Name);
        Assert.NotEqual(FixtureModule.Classic.Metadata.Mvid, Module.Metadata.Mvid);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void An_image_out_of_memory_is_read_in_either_layout(bool isLoaded)
    {
        var file = File.ReadAllBytes(FixtureModule.Classic.Path);
        using var image = ModuleImage.FromBytes(isLoaded ? Load(file) : file, isLoaded)!;
        Assert.Equal(FixtureModule.Classic.Image.Mvid, image.Mvid);
        Assert.Equal(FixtureModule.Classic.Image.CodeView, image.CodeView);
        Assert.Equal(FixtureModule.Classic.MetadataBytes, image.ReadMetadata());
        Assert.Equal(image.CodeView!.Id, image.ReadEmbeddedPdb()!.Id);
        var token = FixtureModule.Classic.Token("Shop.Awaits.Shapes", "Two");
        Assert.Equal(FixtureModule.Classic.IL(token), image.ReadIL(FixtureModule.Classic.Metadata.FactsOf(token)!.Rva));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-5)]
    [InlineData(int.MaxValue)]
    public void An_address_outside_of_the_image_has_no_body(int rva) => Assert.Null(Module.Image.ReadIL(rva));

    [Theory]
    [InlineData("/no/such/file.dll")]
    [InlineData("")]
    [InlineData("/")]
    [InlineData("/dev/zero")]
    [InlineData("/proc/self/maps")]
    [InlineData("\0")]
    public void A_file_that_is_not_an_image_is_null(string path) => Assert.Null(ModuleImage.OpenFile(path));

    [Fact]
    public void An_embedded_pdb_that_claims_another_size_is_not_read()
    {
        var file = File.ReadAllBytes(FixtureModule.Classic.Path);
        var magic = file.AsSpan().IndexOf("MPDB"u8);
        var size = BinaryPrimitives.ReadInt32LittleEndian(file.AsSpan(magic + 4));
        foreach (var claim in new[] { size - 1, size + 1, 0, -1, int.MaxValue })
        {
            BinaryPrimitives.WriteInt32LittleEndian(file.AsSpan(magic + 4), claim);
            using var image = ModuleImage.FromBytes(file, isLoaded: false)!;
            Assert.True(image.HasEmbeddedPdb);
            Assert.Null(image.ReadEmbeddedPdb());
        }
    }

    /// <summary>Lays sections out as the loader does.</summary>
    private static byte[] Load(byte[] file)
    {
        using var pe = new PEReader(new MemoryStream(file));
        var loaded = new byte[pe.PEHeaders.PEHeader!.SizeOfImage];
        file.AsSpan(0, pe.PEHeaders.PEHeader.SizeOfHeaders).CopyTo(loaded);
        foreach (var section in pe.PEHeaders.SectionHeaders)
            file.AsSpan(section.PointerToRawData, section.SizeOfRawData).CopyTo(loaded.AsSpan(section.VirtualAddress));
        return loaded;
    }
}
