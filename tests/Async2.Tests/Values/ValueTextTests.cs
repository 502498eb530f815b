using System.Globalization;
using Async2.Analysis.Values;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Tests.Values;

public sealed class ValueTextTests
{
    [Theory]
    [InlineData("bread", "\"bread\"")]
    [InlineData("", "\"\"")]
    [InlineData("a \"b\" c:\\d", "\"a \\\"b\\\" c:\\\\d\"")]
    [InlineData("'", "\"'\"")]
    [InlineData("\r\n\t\0", "\"\\r\\n\\t\\0\"")]
    [InlineData("\u001b[31m\u0007\u009b", "\"\\u001b[31m\\u0007\\u009b\"")]
    [InlineData("\u202e\u200b\u2028\ufeff", "\"\\u202e\\u200b\\u2028\\ufeff\"")]
    [InlineData("\ud83c\udf5e", "\"\ud83c\udf5e\"")]
    [InlineData("\u0445\u043b", "\"\u0445\u043b\"")]
    public void Strings_are_literals_of_harmless_characters(string text, string expected) => Assert.Equal(expected, StringText.Quote(text));

    // Attributes cannot carry lone surrogates.
    [Fact]
    public void Lone_surrogates_are_escaped()
    {
        Assert.Equal("\"a\\ud83c\"", StringText.Quote("a" + (char)0xd83c));
        Assert.Equal("\"\\udf5e\\ud83c\"", StringText.Quote(new string([(char)0xdf5e, (char)0xd83c])));
        Assert.Equal("'\\ud83c'", StringText.Quote((char)0xd83c));
    }

    [Fact]
    public void A_string_that_was_cut_says_so_and_no_pair_is_torn()
    {
        Assert.Equal("\"abc\"\u2026", StringText.Quote("abc", isCut: true));
        Assert.Equal("\"ab\"\u2026", StringText.Quote("ab" + (char)0xd83c, isCut: true));
    }

    [Theory]
    [InlineData('q', "'q'")]
    [InlineData('\'', "'\\''")]
    [InlineData('"', "'\"'")]
    [InlineData('\\', "'\\\\'")]
    [InlineData('\n', "'\\n'")]
    [InlineData('\u001b', "'\\u001b'")]
    public void Characters_are_literals(char c, string expected) => Assert.Equal(expected, StringText.Quote(c));

    [Theory]
    [InlineData(ClrElementType.Boolean, "01", "true")]
    [InlineData(ClrElementType.Boolean, "00", "false")]
    [InlineData(ClrElementType.Boolean, "07", "true /* 7 */")]
    [InlineData(ClrElementType.UInt8, "FF", "255")]
    [InlineData(ClrElementType.Int8, "FF", "-1")]
    [InlineData(ClrElementType.Int16, "00FF", "-256")]
    [InlineData(ClrElementType.UInt16, "FFFF", "65535")]
    [InlineData(ClrElementType.Char, "7100", "'q'")]
    [InlineData(ClrElementType.Int32, "FFFFFFFF", "-1")]
    [InlineData(ClrElementType.UInt32, "FFFFFFFF", "4294967295")]
    [InlineData(ClrElementType.Int64, "FFFFFFFFFFFFFF7F", "9223372036854775807")]
    [InlineData(ClrElementType.UInt64, "FFFFFFFFFFFFFFFF", "18446744073709551615")]
    [InlineData(ClrElementType.NativeInt, "F4FFFFFFFFFFFFFF", "-12")]
    [InlineData(ClrElementType.NativeUInt, "F4FFFFFFFFFFFFFF", "18446744073709551604")]
    [InlineData(ClrElementType.Pointer, "F400000000000080", "0x80000000000000f4")]
    [InlineData(ClrElementType.Float, "0000C07F", "NaN")]
    [InlineData(ClrElementType.Float, "0000003F", "0.5")]
    [InlineData(ClrElementType.Double, "ABAAAAAAAAAAFA3F", "1.6666666666666667")]
    [InlineData(ClrElementType.Double, "000000000000F0FF", "-Infinity")]
    [InlineData(ClrElementType.Int32, "FFFFFF", null)]
    [InlineData(ClrElementType.Struct, "FFFFFFFF", null)]
    [InlineData((ClrElementType)99, "FFFFFFFF", null)]
    public void Primitives_are_written_alike_in_every_culture(ClrElementType element, string bytes, string? expected)
    {
        CultureInfo before = CultureInfo.CurrentCulture;
        try
        {
            var other = (CultureInfo)CultureInfo.InvariantCulture.Clone();
            (other.NumberFormat.NumberDecimalSeparator, other.NumberFormat.NegativeSign) = (",", "~");
            CultureInfo.CurrentCulture = other;
            Assert.Equal(expected, PrimitiveText.Of(element, Convert.FromHexString(bytes)));
        }
        finally
        {
            CultureInfo.CurrentCulture = before;
        }
    }

    [Theory]
    [InlineData("<>4__this", "this")]
    [InlineData("<price>5__2", "price")]
    [InlineData("goods", "goods")]
    [InlineData("<>1__state", null)]
    [InlineData("<>t__builder", null)]
    [InlineData("<>u__1", null)]
    [InlineData("<>s__3", null)]
    [InlineData("<>7__wrap1", null)]
    [InlineData("<>2__current", null)]
    [InlineData("<>l__initialThreadId", null)]
    [InlineData("<>3__first", null)]
    [InlineData("<>v__promiseOfValueOrEnd", null)]
    [InlineData("<>w__disposeMode", null)]
    [InlineData("<>8__1", null)]
    [InlineData("<CS$<>8__locals0>5__2", null)]
    [InlineData("CS$<>8__locals1", null)]
    [InlineData("<", null)]
    [InlineData("<>5__", null)]
    public void Hoisted_variables_have_their_names_from_source(string field, string? expected) => Assert.Equal(expected, HoistedName.Readable(field));

    [Theory]
    [InlineData("<Net>k__BackingField", "Net")]
    [InlineData("<bell>P", "bell")]
    [InlineData("_pieces", "_pieces")]
    [InlineData("<>", "<>")]
    public void Fields_have_their_names_from_source(string field, string expected) => Assert.Equal(expected, FieldName.Readable(field));

    [Fact]
    public void Unknown_bytes_are_not_shown()
    {
        var bytes = new ValueBytes(new byte[] { 1, 2, 3, 4, 5, 6, 7, 8 }, new[] { true, true, true, true, false, true, true, true });
        Assert.Equal([1, 2, 3, 4], bytes.First(4).ToArray());
        Assert.Empty(bytes.First(5).ToArray());
        Assert.Empty(bytes.First(9).ToArray());
        Assert.Equal([6, 7], bytes.Slice(5, 2).First(2).ToArray());
        Assert.Equal(0, bytes.Slice(99, 2).Length);
        Assert.Equal(0, bytes.Slice(4, -1).Length);
        Assert.Equal(3, bytes.Slice(5, int.MaxValue).Length);
    }
}
