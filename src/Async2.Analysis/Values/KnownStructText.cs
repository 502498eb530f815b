using System.Buffers.Binary;
using System.Globalization;
using Async2.Analysis.Metadata.Signatures;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Values;

/// <summary>
/// Structs of the core library whose fields mean nothing to a reader. If a value is wider than one field, its fields are found by
/// name; the others are one field (System.Private.CoreLib 10.0.12).
/// </summary>
internal static class KnownStructText
{
    // DateTime._dateData: ticks, and two bits for the kind (0 unspecified, 1 UTC, 2 and 3 local).
    private const ulong TicksMask = 0x3FFF_FFFF_FFFF_FFFF;
    private const int KindShift = 62;
    private const string DateTimeFormat = "yyyy-MM-ddTHH:mm:ss.FFFFFFF";

    /// <summary>Null for other structs, and for bytes that no such value has.</summary>
    public static string? Of(ClrType type, ValueBytes bytes) => UntrustedBytes.Read(type, () => type.Name switch
    {
        "System.DateTime" => bytes.First(8) is { IsEmpty: false } b ? DateAndTime(BinaryPrimitives.ReadUInt64LittleEndian(b)) : null,
        "System.DateTimeOffset" => OffsetDate(type, bytes),
        "System.TimeSpan" => Ticks(bytes) is { } t ? new TimeSpan(t).ToString("c", CultureInfo.InvariantCulture) : null,
        "System.TimeOnly" => Ticks(bytes) is { } t ? new TimeOnly(t).ToString("HH:mm:ss.FFFFFFF", CultureInfo.InvariantCulture) : null,
        "System.DateOnly" => bytes.First(4) is { IsEmpty: false } b
            ? DateOnly.FromDayNumber(BinaryPrimitives.ReadInt32LittleEndian(b)).ToString("yyyy-MM-dd", CultureInfo.InvariantCulture) : null,
        "System.Guid" => bytes.First(16) is { IsEmpty: false } b ? new Guid(b).ToString("D", CultureInfo.InvariantCulture) : null,
        "System.Decimal" => Decimal(type, bytes)?.ToString(CultureInfo.InvariantCulture),
        "System.Half" => bytes.First(2) is { IsEmpty: false } b ? BinaryPrimitives.ReadHalfLittleEndian(b).ToString("R", CultureInfo.InvariantCulture) : null,
        "System.Int128" => bytes.First(16) is { IsEmpty: false } b ? BinaryPrimitives.ReadInt128LittleEndian(b).ToString(CultureInfo.InvariantCulture) : null,
        "System.UInt128" => bytes.First(16) is { IsEmpty: false } b ? BinaryPrimitives.ReadUInt128LittleEndian(b).ToString(CultureInfo.InvariantCulture) : null,
        _ => null,
    });

    private static long? Ticks(ValueBytes bytes) => bytes.First(8) is { IsEmpty: false } b ? BinaryPrimitives.ReadInt64LittleEndian(b) : null;

    private static string DateAndTime(ulong data)
        => new DateTime((long)(data & TicksMask)).ToString(DateTimeFormat, CultureInfo.InvariantCulture)
            + (data >> KindShift) switch { 0 => "", 1 => "Z", _ => " local" };

    private static string? OffsetDate(ClrType type, ValueBytes bytes)
    {
        ClrInstanceField? date = type.GetFieldByName("_dateTime"), offset = type.GetFieldByName("_offsetMinutes");
        if (date is null || offset is null || bytes.Slice(date.Offset, 8).First(8) is not { IsEmpty: false } ticks
            || bytes.Slice(offset.Offset, 2).First(2) is not { IsEmpty: false } minutes)
            return null;
        var shift = TimeSpan.FromMinutes(BinaryPrimitives.ReadInt16LittleEndian(minutes));
        var utc = new DateTime((long)(BinaryPrimitives.ReadUInt64LittleEndian(ticks) & TicksMask));
        return new DateTimeOffset(utc + shift, shift).ToString(DateTimeFormat + "zzz", CultureInfo.InvariantCulture);
    }

    // _flags, _hi32, _lo64
    private static decimal? Decimal(ClrType type, ValueBytes bytes)
    {
        int flags = type.GetFieldByName("_flags")?.Offset ?? -1, high = type.GetFieldByName("_hi32")?.Offset ?? -1, low = type.GetFieldByName("_lo64")?.Offset ?? -1;
        if (Math.Min(flags, Math.Min(high, low)) < 0 || bytes.First(16) is not { IsEmpty: false } all)
            return null;
        return new decimal([
            BinaryPrimitives.ReadInt32LittleEndian(all[low..]), BinaryPrimitives.ReadInt32LittleEndian(all[(low + 4)..]),
            BinaryPrimitives.ReadInt32LittleEndian(all[high..]), BinaryPrimitives.ReadInt32LittleEndian(all[flags..])]);
    }
}
