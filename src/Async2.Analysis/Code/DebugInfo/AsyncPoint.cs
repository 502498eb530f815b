using System.Collections.Immutable;

namespace Async2.Analysis.Code.DebugInfo;

/// <summary>A variable that a suspension point saves.</summary>
/// <param name="Number">The JIT's number: <c>this</c>, arguments and locals from 0; negative for variables that IL does not have.</param>
/// <param name="Offset">Offset in the continuation, from the object's address.</param>
internal readonly record struct AsyncVariable(int Number, int Offset);

/// <summary>One suspension point of a native body, as recorded by the JIT.</summary>
/// <param name="Native">The offset that debuggers show for it.</param>
/// <param name="Variables">The variables that it saves.</param>
internal sealed record AsyncPoint(uint Native, ImmutableArray<AsyncVariable> Variables)
{
    // ICorDebugInfo::MAX_ILNUM: added to make a number unsigned.
    private const uint NumberBias = unchecked((uint)-6);
    private const int LeastNibbles = 2;

    // Maximum size of an object (coreclr, FIELD_OFFSET_LAST_REAL_OFFSET is 27 bits).
    private const uint OffsetLimit = 1 << 27;

    /// <summary>Points by state; false if the bytes end too early or are invalid.</summary>
    public static bool TryReadAll(ReadOnlySpan<byte> packed, out AsyncPoint[] points)
    {
        points = [];
        var reader = new NibbleReader(packed);
        uint count = reader.ReadUInt32();
        // The total number of variables is the sum over the points.
        reader.ReadUInt32();
        int room = packed.Length * 2 / LeastNibbles;
        if (!reader.IsValid || count > room)
            return false;
        var counts = new (uint Native, uint Variables)[count];
        uint native = 0, total = 0;
        for (int i = 0; i < counts.Length; i++)
        {
            native = unchecked(native + (uint)reader.ReadInt32());
            uint own = reader.ReadUInt32();
            if (!reader.IsValid || own > room || (total += own) > room)
                return false;
            counts[i] = (native, own);
        }
        var result = new AsyncPoint[count];
        for (int i = 0; i < counts.Length; i++)
            result[i] = new AsyncPoint(counts[i].Native, ReadVariables(ref reader, (int)counts[i].Variables));
        points = reader.IsValid ? result : [];
        return reader.IsValid;
    }

    private static ImmutableArray<AsyncVariable> ReadVariables(ref NibbleReader reader, int count)
    {
        var variables = ImmutableArray.CreateBuilder<AsyncVariable>(count);
        for (int i = 0; i < count; i++)
        {
            int number = unchecked((int)(reader.ReadUInt32() + NumberBias));
            uint offset = reader.ReadUInt32();
            if (offset < OffsetLimit)
                variables.Add(new(number, (int)offset));
        }
        return variables.ToImmutable();
    }
}
