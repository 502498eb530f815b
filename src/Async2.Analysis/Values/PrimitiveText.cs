using System.Buffers.Binary;
using System.Globalization;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Values;

/// <summary>C# form of built-in types, the same in every culture.</summary>
internal static class PrimitiveText
{
    /// <summary>Bytes of a primitive; 0 for what is none.</summary>
    public static int SizeOf(ClrElementType element) => element switch
    {
        ClrElementType.Boolean or ClrElementType.Int8 or ClrElementType.UInt8 => 1,
        ClrElementType.Char or ClrElementType.Int16 or ClrElementType.UInt16 => 2,
        ClrElementType.Int32 or ClrElementType.UInt32 or ClrElementType.Float => 4,
        ClrElementType.Int64 or ClrElementType.UInt64 or ClrElementType.Double => 8,
        ClrElementType.NativeInt or ClrElementType.NativeUInt or ClrElementType.Pointer or ClrElementType.FunctionPointer => 8,
        _ => 0,
    };

    /// <summary>Null for what is not a primitive, or when there are too few bytes.</summary>
    public static string? Of(ClrElementType element, ReadOnlySpan<byte> bytes)
    {
        if (SizeOf(element) is not (> 0 and var size) || bytes.Length < size)
            return null;
        return element switch
        {
            ClrElementType.Boolean => bytes[0] switch { 0 => "false", 1 => "true", _ => $"true /* {Integer(element, bytes)} */" },
            ClrElementType.Char => StringText.Quote((char)BinaryPrimitives.ReadUInt16LittleEndian(bytes)),
            ClrElementType.Float => BinaryPrimitives.ReadSingleLittleEndian(bytes).ToString("R", CultureInfo.InvariantCulture),
            ClrElementType.Double => BinaryPrimitives.ReadDoubleLittleEndian(bytes).ToString("R", CultureInfo.InvariantCulture),
            ClrElementType.Pointer or ClrElementType.FunctionPointer => "0x" + BinaryPrimitives.ReadUInt64LittleEndian(bytes).ToString("x", CultureInfo.InvariantCulture),
            ClrElementType.UInt64 or ClrElementType.NativeUInt => BinaryPrimitives.ReadUInt64LittleEndian(bytes).ToString(CultureInfo.InvariantCulture),
            _ => Integer(element, bytes).ToString(CultureInfo.InvariantCulture),
        };
    }

    /// <summary>The bits of an integer as a number; of unsigned 64 bits the same bits as a signed one.</summary>
    public static long Integer(ClrElementType element, ReadOnlySpan<byte> bytes) => element switch
    {
        ClrElementType.Int8 => (sbyte)bytes[0],
        ClrElementType.UInt8 or ClrElementType.Boolean => bytes[0],
        ClrElementType.Int16 => BinaryPrimitives.ReadInt16LittleEndian(bytes),
        ClrElementType.UInt16 or ClrElementType.Char => BinaryPrimitives.ReadUInt16LittleEndian(bytes),
        ClrElementType.Int32 => BinaryPrimitives.ReadInt32LittleEndian(bytes),
        ClrElementType.UInt32 => BinaryPrimitives.ReadUInt32LittleEndian(bytes),
        _ => BinaryPrimitives.ReadInt64LittleEndian(bytes),
    };
}
