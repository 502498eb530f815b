using System.Buffers.Binary;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Targets.Memory;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts;

/// <summary>In which way a continuation says where its method stopped, and keeps what it saved.</summary>
internal enum ContinuationShape
{
    /// <summary><c>Resume</c>, a stub, and the arrays <c>Data</c> and <c>GCData</c>: .NET 10 and the async2 experiment.</summary>
    Arrays = 1,

    /// <summary><c>ResumeInfo</c>, with a place for debuggers, and the data behind the fields: .NET 11.</summary>
    Inline = 2,
}

/// <summary>
/// Where the fields of <c>System.Runtime.CompilerServices.Continuation</c> are in this runtime: the heap object that holds one
/// suspended runtime-async method. System.Private.CoreLib 10.0.12; dotnet/runtime 005d4975 for .NET 11; or as a description says.
/// </summary>
internal sealed class ContinuationLayout
{
    public const string TypeName = "System.Runtime.CompilerServices.Continuation";

    /// <summary>Flags of a method that goes on in the SynchronizationContext or TaskScheduler that it saved (CorInfoContinuationFlags of 10.0.12: 0x10 and 0x20).</summary>
    public const uint OnCapturedPlace = 0x30;

    private const string DataOffset = "ContinuationDataOffset";
    private const int NumberSize = sizeof(uint);

    private readonly int _next;
    private readonly int _place;
    private readonly int _state;
    private readonly int _pointerSize;

    private ContinuationLayout(ContinuationShape shape, int pointerSize, Dictionary<string, int> fields, LayoutFacts facts)
    {
        Shape = shape;
        _pointerSize = pointerSize;
        _next = fields["Next"];
        _place = fields[shape == ContinuationShape.Inline ? "ResumeInfo" : "Resume"];
        _state = fields["State"];
        FlagsOffset = fields.GetValueOrDefault("Flags");
        SavingOffsets = (fields.GetValueOrDefault("Data"), fields.GetValueOrDefault("GCData"), _place);
        foreach ((string name, int offset) in fields)
            Size = Math.Max(Size, offset + (name is "State" or "Flags" ? NumberSize : pointerSize));
        InlineData = facts.Global(DataOffset)?.Value.Number is > 0 and < FieldLimit and var data ? (int)data : (Size + pointerSize - 1) & -pointerSize;
    }

    private const int FieldLimit = 4096;

    public ContinuationShape Shape { get; }

    /// <summary>Where native code finds the three fields through which it saves a method, in the shape with arrays.</summary>
    public (int Data, int GCData, int Resume) SavingOffsets { get; }

    /// <summary>Where what it saved begins, in the inline shape.</summary>
    public int InlineData { get; }

    /// <summary>Offset of the flags, an int; 0 when nobody knows it.</summary>
    public int FlagsOffset { get; }

    /// <summary>Offsets of the fields that the target's metadata has: not always those that are believed.</summary>
    public required IReadOnlyDictionary<string, int> Metadata { get; init; }

    /// <summary>Bytes from the object's address that cover all fields.</summary>
    public int Size { get; }

    /// <summary>The layout of the class, asked of an object's type and of descriptions; null if it is shaped differently.</summary>
    public static ContinuationLayout? Of(ClrType type, LayoutFacts facts, int pointerSize)
    {
        if (ShapeOf(type, facts) is not { } shape)
            return null;
        var metadata = new Dictionary<string, int>(StringComparer.Ordinal);
        return Fields(type, facts, pointerSize, Names(shape), metadata) is { } fields
            ? new ContinuationLayout(shape, pointerSize, fields, facts) { Metadata = metadata }
            : null;
    }

    /// <summary>Caller's continuation.</summary>
    public ulong Next(ReadOnlySpan<byte> bytes) => Pointer(bytes[_next..]);

    /// <summary>
    /// The stub that resumes the method, null in the last one of a chain, or the ResumeInfo; and the number of the suspension point
    /// in the native body that made this object.
    /// </summary>
    public Site SiteIn(ReadOnlySpan<byte> bytes)
        => new(Pointer(bytes[_place..]), BinaryPrimitives.ReadUInt32LittleEndian(bytes[_state..]), Shape == ContinuationShape.Inline ? SiteKind.ResumeInfo : SiteKind.ResumeStub);

    /// <summary>
    /// Nothing is in it: neither a stub, nor flags, nor room for a result, which the last one of a chain has (10.0.12: an exception's slot, at the least).
    /// </summary>
    public bool IsBlank(ReadOnlySpan<byte> bytes)
        => Shape == ContinuationShape.Arrays && FlagsOffset != 0 && SiteIn(bytes) is { Address: 0, State: 0 }
            && BinaryPrimitives.ReadUInt32LittleEndian(bytes[FlagsOffset..]) == 0 && Data(bytes) == 0 && GCData(bytes) == 0;

    /// <summary>The method goes on in a context or scheduler that it saved; only told in the shape with arrays.</summary>
    public bool IsOnCapturedPlace(ReadOnlySpan<byte> bytes)
        => Shape == ContinuationShape.Arrays && FlagsOffset != 0 && (BinaryPrimitives.ReadUInt32LittleEndian(bytes[FlagsOffset..]) & OnCapturedPlace) != 0;

    /// <summary>byte[] with the locals that are no references.</summary>
    public ulong Data(ReadOnlySpan<byte> bytes) => Pointer(bytes[SavingOffsets.Data..]);

    /// <summary>object[] with the references.</summary>
    public ulong GCData(ReadOnlySpan<byte> bytes) => Pointer(bytes[SavingOffsets.GCData..]);

    // First the target's own description, then the fields of its class; built-in layouts cannot distinguish runtimes.
    private static ContinuationShape? ShapeOf(ClrType type, LayoutFacts facts)
    {
        if (facts.IsDescribed(AsyncLayoutParts.Continuations) && facts.Contract(AsyncLayoutParts.Continuations) is { } contract)
            return contract.Version switch { "1" => ContinuationShape.Arrays, "2" => ContinuationShape.Inline, _ => null };
        return type.GetFieldByName("ResumeInfo") is not null ? ContinuationShape.Inline : type.GetFieldByName("Resume") is not null ? ContinuationShape.Arrays : null;
    }

    private static string[] Names(ContinuationShape shape)
        => shape == ContinuationShape.Inline ? ["Next", "ResumeInfo", "Flags", "State"] : ["Next", "Resume", "State", "Flags", "Data", "GCData"];

    private static Dictionary<string, int>? Fields(ClrType type, LayoutFacts facts, int pointerSize, string[] names, Dictionary<string, int> metadata)
    {
        var fields = new Dictionary<string, int>(StringComparer.Ordinal);
        foreach (string name in names)
        {
            // Nothing that is read first needs the flags.
            bool isOptional = name == "Flags";
            int? own = FieldOffsets.Find(type, pointerSize, name)?[name];
            if (own is { } known)
                metadata[name] = known;
            if (facts.Field(AsyncLayoutParts.Continuation, name, own) is { Offset: > 0 and < FieldLimit } field)
                fields[name] = field.Offset;
            else if (!isOptional)
                return null;
        }
        return fields;
    }

    private ulong Pointer(ReadOnlySpan<byte> bytes) => TargetMemory.PointerIn(bytes, _pointerSize);
}

/// <summary>What the address in a <see cref="Site"/> is.</summary>
internal enum SiteKind
{
    /// <summary>The stub that resumes a continuation of .NET 10's family.</summary>
    ResumeStub,

    /// <summary>The <c>ResumeInfo</c> of a continuation of .NET 11's family.</summary>
    ResumeInfo,

    /// <summary>The return address at which a tasklet goes on.</summary>
    RestoreIP,
}

/// <summary>Where a suspended frame stands, as its object says it; equal for all frames that stand there.</summary>
/// <param name="Address">
/// A stub or a ResumeInfo, 0 for the final continuation of a chain, which only holds the result; or a return address.
/// </param>
/// <param name="State">Number of the suspension point in the native body; 0 of a tasklet.</param>
/// <param name="Kind">What the address is.</param>
internal readonly record struct Site(ulong Address, uint State, SiteKind Kind = SiteKind.ResumeStub)
{
    /// <summary>It ends a chain and has no frame.</summary>
    public bool IsFinal => Address == 0 && Kind == SiteKind.ResumeStub;
}
