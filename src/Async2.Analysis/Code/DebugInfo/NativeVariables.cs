namespace Async2.Analysis.Code.DebugInfo;

/// <summary>
/// The variables in the JIT's debug info: for each a range of code, a number and a place. Format: coreclr 10.0.12,
/// CompressDebugInfo (src/coreclr/vm/debuginfostore.cpp, DoNativeVarInfo), and of .NET 11
/// (dotnet/runtime, docs/design/datacontracts/DebugInfo.md).
/// </summary>
internal static class NativeVariables
{
    // ICorDebugInfo::MAX_ILNUM: subtracted so that the smallest number becomes 0.
    private const uint NumberBias = unchecked((uint)-4);
    private const uint ChunkedNumberBias = unchecked((uint)-6);
    private const int LeastNibbles = 5;

    // rsp, r15
    private const int StackPointer = 4;
    private const int LastRegister = 15;

    // CALL_RETURN_ILNUM of .NET 11: where the value of a call is, not a variable.
    private const int CallReturn = -5;

    /// <summary>The same for .NET 10.</summary>
    public static bool TryRead(ReadOnlySpan<byte> packed, out NativeVariable[] variables) => TryRead(packed, DebugInfoFormat.Flagged, out variables);

    /// <summary>False if the bytes end too early or name a place that does not exist.</summary>
    public static bool TryRead(ReadOnlySpan<byte> packed, DebugInfoFormat format, out NativeVariable[] variables)
    {
        variables = [];
        var reader = new NibbleReader(packed);
        uint count = reader.ReadUInt32();
        if (!reader.IsValid || count > packed.Length * 2 / LeastNibbles)
            return false;
        var result = new NativeVariable[count];
        for (int i = 0; i < result.Length; i++)
        {
            (uint start, uint end, int number) = format == DebugInfoFormat.Chunked ? ReadNumberFirst(ref reader) : ReadRangeFirst(ref reader);
            uint home = reader.ReadUInt32();
            if (home > (uint)VariableHome.FixedVarargs)
                return false;
            NativePlace place = ReadPlace(ref reader, (VariableHome)home);
            if (!reader.IsValid)
                return false;
            result[i] = new NativeVariable(start, end, number, (VariableHome)home, place);
        }
        variables = result;
        return true;
    }

    private static (uint Start, uint End, int Number) ReadRangeFirst(ref NibbleReader reader)
    {
        uint start = reader.ReadUInt32();
        uint end = unchecked(start + reader.ReadUInt32());
        return (start, end, unchecked((int)(reader.ReadUInt32() + NumberBias)));
    }

    private static (uint Start, uint End, int Number) ReadNumberFirst(ref NibbleReader reader)
    {
        int number = unchecked((int)(reader.ReadUInt32() + ChunkedNumberBias));
        uint start = reader.ReadUInt32(), next = reader.ReadUInt32();
        // For a call's value the next number is the IL offset of the call.
        return (start, number == CallReturn ? start + 1 : unchecked(start + next), number);
    }

    private static NativePlace ReadPlace(ref NibbleReader reader, VariableHome home)
    {
        switch (home)
        {
            // Structs that Windows passes by a hidden reference; and those of the JIT's own.
            case VariableHome.RegisterByRef:
                return new(true, Register(ref reader), 0);
            case VariableHome.StackByRef:
                return new(true, Base(ref reader), 0, Slot: reader.ReadInt32());
            case VariableHome.Register or VariableHome.FloatRegister or VariableHome.FloatStack or VariableHome.FixedVarargs:
                return new(false, Register(ref reader), 0);
            case VariableHome.Stack or VariableHome.TwoStackSlots:
                return new(true, Base(ref reader), reader.ReadInt32());
            case VariableHome.StackAndRegister:
                int offset = reader.ReadInt32();
                int stack = Base(ref reader);
                Register(ref reader);
                return new(true, stack, offset);
            default:
                int first = Register(ref reader);
                Register(ref reader);
                if (home == VariableHome.RegisterAndStack)
                    reader.ReadInt32();
                return new(false, first, 0);
        }
    }

    // REGNUM_AMBIENT_SP, the stack pointer of a body without a frame pointer, stands behind all registers: 17 until .NET 9, 33 since .NET 10.
    private static int Base(ref NibbleReader reader) => Register(ref reader) is var register && register > LastRegister ? StackPointer : register;

    private static int Register(ref NibbleReader reader) => (int)Math.Min(reader.ReadUInt32(), int.MaxValue);
}
