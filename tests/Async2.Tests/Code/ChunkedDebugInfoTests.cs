using Async2.Analysis.Code.DebugInfo;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Code;

/// <summary>Debug info in .NET 11's format.</summary>
public sealed class ChunkedDebugInfoTests
{
    private const ulong Address = 0x7f00_0000_1234;
    private const DebugInfoFormat Chunked = DebugInfoFormat.Chunked;

    private static readonly ILMappingEntry[] Bounds =
    [
        new(0, -2, ILMappingSource.StackEmpty), new(10, 0, ILMappingSource.StackEmpty), new(24, 7, ILMappingSource.CallInstruction),
        new(90, 7, ILMappingSource.Async), new(120, -3, ILMappingSource.StackEmpty | ILMappingSource.CallInstruction),
    ];

    private static readonly NativeVariable[] Variables =
    [
        new(0, 0x5c, 0, VariableHome.Register, new(false, 7, 0)),
        new(0x67, 0x68, -5, VariableHome.Register, new(false, 0, 0)),
        new(0x10, 0x20, NativeVariable.GenericContext, VariableHome.Stack, new(true, 5, -1000)),
        new(0x10, 0x20, -4, VariableHome.Stack, new(true, 5, 16)),
    ];

    private static readonly AsyncPoint[] Points =
    [
        new(90, [new(0, 0x20), new(3, 0x40)]),
        new(300, []),
        new(120, [new(NativeVariable.GenericContext, 0x28), new(2, 1000)]),
    ];

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Bounds_with_their_sources_are_read(bool isSlim)
    {
        byte[] blob = ChunkedDebugInfoWriter.Write(Bounds, isSlim: isSlim);
        Assert.Equal(Bounds, NativeDebugInfo.ReadBounds(ByteMemory.At(Address, blob), Address, Chunked));
    }

    [Theory]
    [InlineData(0, 0, 0)]
    [InlineData(3, 44, 500)]
    public void All_consecutive_parts_are_found(int uninstrumented, int patchpoint, int rich)
    {
        byte[] blob = ChunkedDebugInfoWriter.Write(Bounds, ChunkedDebugInfoWriter.Variables(Variables), Points, [uninstrumented, patchpoint, rich]);
        Assert.True(NativeDebugInfo.TryReadBounds(blob, Chunked, out ILMappingEntry[] bounds));
        Assert.True(NativeDebugInfo.TryReadVariables(blob, Chunked, out NativeVariable[] variables));
        Assert.True(NativeDebugInfo.TryReadAsyncPoints(blob, Chunked, out AsyncPoint[] points));
        Assert.Equal(Bounds, bounds);
        Assert.Equal(Variables, variables);
        Assert.Equal(Points.Select(Text), points.Select(Text));
    }

    [Fact]
    public void A_slim_blob_has_no_suspension_points()
    {
        byte[] blob = ChunkedDebugInfoWriter.Write(Bounds, ChunkedDebugInfoWriter.Variables(Variables), isSlim: true);
        Assert.True(NativeDebugInfo.TryReadAsyncPoints(blob, Chunked, out AsyncPoint[] points));
        Assert.Empty(points);
        Assert.Equal(Variables, NativeDebugInfo.ReadVariables(ByteMemory.At(Address, blob), Address, Chunked));
    }

    [Fact]
    public void A_truncated_blob_gives_all_of_a_part_or_none()
    {
        byte[] blob = ChunkedDebugInfoWriter.Write(Bounds, ChunkedDebugInfoWriter.Variables(Variables), Points, [1, 2, 3]);
        for (int length = 0; length < blob.Length; length++)
        {
            ReadOnlySpan<byte> cut = blob.AsSpan(0, length);
            Assert.Equal(NativeDebugInfo.TryReadBounds(cut, Chunked, out ILMappingEntry[] bounds) ? Bounds : [], bounds);
            Assert.Equal(NativeDebugInfo.TryReadVariables(cut, Chunked, out NativeVariable[] variables) ? Variables : [], variables);
            Assert.False(NativeDebugInfo.TryReadAsyncPoints(cut, Chunked, out AsyncPoint[] points));
            Assert.Empty(points);
        }
    }

    [Theory]
    // More points than bytes; more variables than bytes; counts whose sum runs over.
    [InlineData(0xFFFFFFFF, 0, 0, 0)]
    [InlineData(1, 0, 0, 0xFFFFFFFF)]
    [InlineData(2, 0, 0, 0x7FFFFFFF)]
    [InlineData(1000, 1000, 0, 1)]
    public void Absurd_numbers_give_no_points(uint count, uint total, uint delta, uint variables)
    {
        byte[] packed = [.. DebugInfoWriter.Nibbles(count, total, delta, variables, delta, variables), .. new byte[20]];
        Assert.False(AsyncPoint.TryReadAll(packed, out AsyncPoint[] points));
        Assert.Empty(points);
    }

    [Fact]
    public void A_variable_behind_any_object_is_left_out()
    {
        byte[] packed = DebugInfoWriter.Nibbles(1, 2, 20, 2, 6, 0xFFFFFFF0, 7, 0x20);
        Assert.True(AsyncPoint.TryReadAll(packed, out AsyncPoint[] points));
        Assert.Equal([new AsyncVariable(1, 0x20)], Assert.Single(points).Variables);
    }

    [Fact]
    public void Random_bytes_never_throw()
    {
        var random = new Random(4);
        byte[] valid = ChunkedDebugInfoWriter.Write(Bounds, ChunkedDebugInfoWriter.Variables(Variables), Points);
        for (int round = 0; round < 20_000; round++)
        {
            byte[] blob = new byte[random.Next(200)];
            random.NextBytes(blob);
            if (round % 2 == 0)
                blob = [.. valid.Select(b => random.Next(8) == 0 ? (byte)random.Next(256) : b)];
            NativeDebugInfo.TryReadBounds(blob, Chunked, out ILMappingEntry[] bounds);
            NativeDebugInfo.TryReadVariables(blob, Chunked, out NativeVariable[] variables);
            NativeDebugInfo.TryReadAsyncPoints(blob, Chunked, out AsyncPoint[] points);
            Assert.True(bounds.Length <= blob.Length * 8 / 5 && variables.Length <= blob.Length * 2 && points.Length <= blob.Length * 2, Convert.ToHexString(blob));
        }
    }

    [Theory]
    [InlineData(null, false)]
    [InlineData("1", false)]
    [InlineData("2", true)]
    [InlineData("3", true)]
    [InlineData("c1", true)]
    [InlineData("", false)]
    [InlineData("-2", false)]
    [InlineData("99999999999", false)]
    public void The_contract_determines_the_format(string? version, bool isChunked)
    {
        var description = new LayoutDescription { Source = LayoutSource.Metadata, Contracts = version is null ? new Dictionary<string, string>() : new Dictionary<string, string> { ["DebugInfo"] = version } };
        Assert.Equal(isChunked, DebugInfoFormats.Of(new LayoutFacts([description])) == Chunked);
    }

    [Theory]
    [InlineData("2", true)]
    [InlineData("\"c1\"", true)]
    [InlineData("1", false)]
    public void Exported_contracts_are_parsed_as_written(string version, bool isChunked)
    {
        string json = "{ \"version\": 0, \"baseline\": \"net11\", \"contracts\": { \"DebugInfo\": " + version + " } }";
        LayoutDescription description = DescriptionParser.Parse(System.Text.Encoding.UTF8.GetBytes(json), new(LayoutSourceKind.Contract, "test"));
        Assert.Equal(isChunked, DebugInfoFormats.Of(new LayoutFacts([description])) == Chunked);
    }

    private static string Text(AsyncPoint point) => $"{point.Native}: {string.Join(' ', point.Variables)}";
}
