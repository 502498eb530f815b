using System.Buffers.Binary;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts;

/// <summary>
/// Where the fields of <c>System.Runtime.CompilerServices.Continuation</c> are in this runtime: the heap object that holds one
/// suspended runtime-async method. The family with <c>Resume</c>, <c>State</c>, <c>Data</c> and <c>GCData</c> is .NET 10's
/// (System.Private.CoreLib 10.0.12); a runtime whose Continuation lacks one of them is another family.
/// </summary>
internal sealed class ContinuationLayout
{
    public const string TypeName = "System.Runtime.CompilerServices.Continuation";

    private readonly int _next;
    private readonly int _resume;
    private readonly int _state;
    private readonly int _flags;
    private readonly int _data;
    private readonly int _gcData;
    private readonly int _pointerSize;

    private ContinuationLayout(int pointerSize, FieldOffsets fields)
    {
        _pointerSize = pointerSize;
        _next = fields["Next"];
        _resume = fields["Resume"];
        _state = fields["State"];
        _flags = fields["Flags"];
        _data = fields["Data"];
        _gcData = fields["GCData"];
        Size = fields.End;
    }

    /// <summary>Where native code finds the three fields through which it saves a method.</summary>
    public (int Data, int GCData, int Resume) SavingOffsets => (_data, _gcData, _resume);

    /// <summary>Bytes from the object's address that cover all fields.</summary>
    public int Size { get; }

    /// <summary>The layout of the class, asked of an object's type; null when it is shaped differently.</summary>
    public static ContinuationLayout? Of(ClrType type, int pointerSize)
        => FieldOffsets.Find(type, pointerSize, "Next", "Resume", "State", "Flags", "Data", "GCData") is { } fields
            ? new ContinuationLayout(pointerSize, fields)
            : null;

    /// <summary>Caller's continuation.</summary>
    public ulong Next(ReadOnlySpan<byte> bytes) => Pointer(bytes[_next..]);

    /// <summary>The stub that resumes the method, null in the last one of a chain, and the number of the suspension point in the native body that made this object.</summary>
    public Site SiteIn(ReadOnlySpan<byte> bytes) => new(Pointer(bytes[_resume..]), BinaryPrimitives.ReadUInt32LittleEndian(bytes[_state..]));

    /// <summary>CorInfoContinuationFlags.</summary>
    public uint Flags(ReadOnlySpan<byte> bytes) => BinaryPrimitives.ReadUInt32LittleEndian(bytes[_flags..]);

    /// <summary>byte[] with the locals that are no references.</summary>
    public ulong Data(ReadOnlySpan<byte> bytes) => Pointer(bytes[_data..]);

    /// <summary>object[] with the references.</summary>
    public ulong GCData(ReadOnlySpan<byte> bytes) => Pointer(bytes[_gcData..]);

    private ulong Pointer(ReadOnlySpan<byte> bytes) => TargetMemory.PointerIn(bytes, _pointerSize);
}
