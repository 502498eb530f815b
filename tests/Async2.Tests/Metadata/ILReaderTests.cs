using System.Reflection.Emit;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Metadata;
using Async2.Analysis.Metadata.IL;

namespace Async2.Tests.Metadata;

public class ILReaderTests
{
    [Fact]
    public void Every_opcode_has_the_length_that_reflection_says()
    {
        foreach (var field in typeof(OpCodes).GetFields())
        {
            if (field.GetValue(null) is not OpCode { OpCodeType: not OpCodeType.Nternal } code) continue;
            var bytes = new byte[16];
            bytes[0] = (byte)(code.Size == 2 ? 0xFE : code.Value);
            if (code.Size == 2) bytes[1] = (byte)code.Value;
            var reader = new ILReader(bytes);
            Assert.True(reader.MoveNext(), code.Name);
            Assert.Equal(code.Size + OperandSize(code.OperandType), reader.Current.End);
            Assert.Equal(unchecked((ushort)code.Value), (ushort)reader.Current.OpCode);
        }
    }

    [Fact]
    public void Every_body_of_the_core_library_is_read_to_its_end()
    {
        using var image = ModuleImage.OpenFile(typeof(object).Assembly.Location)!;
        var metadata = ModuleMetadata.Open(image.ReadMetadata()!)!;
        for (var token = 0x06000001; metadata.FactsOf(token) is { } facts; token += 7)
        {
            if (image.ReadIL(facts.Rva) is not { } il) continue;
            var reader = new ILReader(il);
            while (reader.MoveNext()) { }
            Assert.False(reader.IsDamaged, facts.RawName);
        }
    }

    [Fact]
    public void Jumps_and_switches_have_their_targets()
    {
        // 0: br.s +2 -> 4; 2: nop; 3: nop; 4: switch (2 targets) ends at 17 -> 17, 16 (-1); 17: ret
        byte[] il = [0x2B, 2, 0, 0, 0x45, 2, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x2A];
        var targets = new HashSet<int>();
        var reader = new ILReader(il);
        while (reader.MoveNext()) reader.AddTargets(targets);
        Assert.False(reader.IsDamaged);
        Assert.Equal([4, 16, 17], targets.Order());
    }

    [Theory]
    [InlineData(new byte[] { 0x28, 1, 2 })] // call, cut
    [InlineData(new byte[] { 0xFE })] // first half of an opcode
    [InlineData(new byte[] { 0xFE, 0xFF })] // no opcode
    [InlineData(new byte[] { 0x24 })] // no opcode
    [InlineData(new byte[] { 0x45, 0xFF, 0xFF, 0xFF, 0x7F, 0 })] // switch with 2^31 targets
    [InlineData(new byte[] { 0x45, 0xFF, 0xFF, 0xFF, 0xFF, 0 })]
    public void Damage_stops_reading(byte[] il)
    {
        var reader = new ILReader(il);
        Assert.False(reader.MoveNext());
        Assert.True(reader.IsDamaged);
        Assert.False(reader.MoveNext());
    }

    [Fact]
    public void Await_sites_before_the_damage_are_kept()
    {
        var module = FixtureModule.Async;
        var il = module.IL(module.Token("Shop.Awaits.Shapes", "Two"));
        il[11] = 0x24;
        Assert.Single(module.Metadata.AwaitSitesOf(il));
        Assert.Empty(module.Metadata.AwaitSitesOf([]));
    }

    private static int OperandSize(OperandType type) => type switch
    {
        OperandType.InlineNone => 0,
        OperandType.ShortInlineBrTarget or OperandType.ShortInlineI or OperandType.ShortInlineVar => 1,
        OperandType.InlineVar => 2,
        OperandType.InlineI8 or OperandType.InlineR => 8,
        _ => 4,
    };
}
