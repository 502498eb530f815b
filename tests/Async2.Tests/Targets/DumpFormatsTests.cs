using Async2.Analysis.Targets.Dumps;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Targets;

public sealed class DumpFormatsTests
{
    [Theory]
    [InlineData("MDMP\u0093\u00a7")]
    [InlineData("\u00cf\u00fa\u00ed\u00fe")]
    public void Dumps_of_other_systems_are_accepted(string start)
    {
        DumpFormat format = Recognize(start);
        Assert.Equal((false, null), (format.IsElf, format.Rejection));
    }

    [Fact]
    public void A_core_of_this_processor_is_accepted()
    {
        DumpFormat format = DumpFormats.Recognize(Elf(type: 4, ElfImage.OwnProcessor));
        Assert.Equal((true, null), (format.IsElf, format.Rejection));
    }

    [Theory]
    [InlineData("", "is empty")]
    [InlineData("\u007fEL", "is not a dump")]
    [InlineData("\u007fELF", "is truncated: it has 4 bytes")]
    [InlineData("hello", "is not a dump")]
    [InlineData("\u001f\u008b", "is a compressed file")]
    [InlineData("PK\u0003\u0004", "is a compressed file")]
    [InlineData("BZh9", "is a compressed file")]
    [InlineData("\u00fd7zXZ", "is a compressed file")]
    [InlineData("7z\u00bc\u00af\u0027\u001c", "is a compressed file")]
    [InlineData("\u0004\u0022\u004d\u0018", "is a compressed file")]
    [InlineData("(\u00b5/\u00fd", "is a compressed file")]
    public void A_file_that_is_not_a_dump_is_named_by_its_kind(string start, string complaint)
    {
        DumpFormat format = Recognize(start);
        Assert.StartsWith(complaint, format.Rejection, StringComparison.Ordinal);
        Assert.False(string.IsNullOrEmpty(format.Fix));
    }

    [Theory]
    [InlineData(1, "is an ELF object file, not a core dump.")]
    [InlineData(2, "is an ELF program or library, not a core dump.")]
    [InlineData(3, "is an ELF program or library, not a core dump.")]
    [InlineData(0xfe00, "is an ELF file of the unknown kind 65024, not a core dump.")]
    public void Elf_files_that_are_not_cores(ushort type, string complaint)
        => Assert.Equal(complaint, DumpFormats.Recognize(Elf(type, ElfImage.OwnProcessor)).Rejection);

    [Theory]
    [InlineData(21, "ppc64le")]
    [InlineData(22, "s390x")]
    [InlineData(3, "x86")]
    [InlineData(777, "a processor with the number 777")]
    public void Cores_of_other_processors_name_them(ushort machine, string name)
    {
        DumpFormat format = DumpFormats.Recognize(Elf(type: 4, machine));
        Assert.Contains($"it is of {name}, and this tool runs on ", format.Rejection, StringComparison.Ordinal);
        Assert.Equal($"run dotnet-async2 on a machine with {name}.", format.Fix);
    }

    [Fact]
    public void A_header_of_the_other_byte_order_is_read_in_its_own()
    {
        byte[] header = Elf(type: 0, machine: 0);
        (header[5], header[17], header[19]) = (2, 4, 22);
        Assert.Contains("s390x", DumpFormats.Recognize(header).Rejection, StringComparison.Ordinal);
    }

    private static DumpFormat Recognize(string start) => DumpFormats.Recognize(System.Text.Encoding.Latin1.GetBytes(start));

    private static byte[] Elf(ushort type, ushort machine) => new ElfImage { Type = type, Machine = machine }.ToBytes();
}
