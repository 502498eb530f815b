namespace Async2.Analysis.Code.DebugInfo;

/// <summary>Where code keeps a variable. Numbers are coreclr's VarLocType (src/coreclr/inc/cordebuginfo.h).</summary>
internal enum VariableHome
{
    Register = 0,

    /// <summary>A register that has the variable's address.</summary>
    RegisterByRef = 1,
    FloatRegister = 2,
    Stack = 3,

    /// <summary>A stack slot that has the variable's address.</summary>
    StackByRef = 4,
    TwoRegisters = 5,
    RegisterAndStack = 6,
    StackAndRegister = 7,

    /// <summary>Two slots in a row; 32-bit processors only.</summary>
    TwoStackSlots = 8,
    FloatStack = 9,
    FixedVarargs = 10,
}

/// <summary>
/// A register, or memory at an offset from one. Registers have the numbers of their encoding (rax 0, rcx 1, rdx 2, rbx 3, rsp 4,
/// rbp 5, rsi 6, rdi 7, r8 to r15), which are those of ICorDebugInfo::RegNum on x64; vector registers count from 32 (seen in 10.0.12).
/// </summary>
/// <param name="InMemory">The content of memory, not of the register itself.</param>
/// <param name="Register">The register, or the base of the address.</param>
/// <param name="Offset">Bytes from the base; for a register the number of the first byte.</param>
/// <param name="Slot">The base is not in the register itself, but in memory so many bytes from it; null if it is in the register.</param>
internal readonly record struct NativePlace(bool InMemory, int Register, int Offset, int? Slot = null)
{
    public const int FirstVector = 32;

    /// <summary>Where the address leads that is in this place; null if it is no place of a whole address.</summary>
    public NativePlace? Behind => this switch
    {
        { InMemory: false, Offset: 0 } => new(true, Register, 0),
        { InMemory: true, Slot: null } => new(true, Register, 0, Offset),
        _ => null,
    };

    /// <summary>Both count from the same base.</summary>
    public bool HasBaseOf(in NativePlace other) => InMemory == other.InMemory && Register == other.Register && Slot == other.Slot;

    public NativePlace Skip(int bytes) => this with { Offset = Offset + bytes };
}

/// <summary>Where one variable of a body is between two native offsets.</summary>
/// <param name="Start">First native offset.</param>
/// <param name="End">First native offset after the range.</param>
/// <param name="Number">
/// The JIT's number: <c>this</c>, arguments and locals from 0; in a runtime-async body one argument more than in IL, the caller's
/// continuation behind <c>this</c>. Negative: -3 is the hidden generic context.
/// </param>
/// <param name="Home">The kind of place.</param>
/// <param name="Place">The place; of two the first.</param>
internal readonly record struct NativeVariable(uint Start, uint End, int Number, VariableHome Home, NativePlace Place)
{
    /// <summary>ICorDebugInfo::TYPECTXT_ILNUM.</summary>
    public const int GenericContext = -3;

    public bool IsAt(ulong nativeOffset) => nativeOffset >= Start && nativeOffset < End;
}
