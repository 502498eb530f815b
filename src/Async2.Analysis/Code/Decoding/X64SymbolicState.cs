using Async2.Analysis.Code.DebugInfo;
using Iced.Intel;

namespace Async2.Analysis.Code.Decoding;

/// <summary>Symbolic registers and frame of a method while a suspension block is followed.</summary>
/// <param name="convention">How the code calls and keeps its locals.</param>
internal sealed class X64SymbolicState(X64Convention convention)
{
    // The widest vector register.
    private const int RegisterSize = 64;
    private const int WritesLimit = 1024;

    // Registers that a callee may change by both conventions, and two more of the System V one.
    private static readonly Register[] Volatile = [Register.RAX, Register.RCX, Register.RDX, Register.R8, Register.R9, Register.R10, Register.R11];
    private static readonly Register[] VolatileOnUnix = [.. Volatile, Register.RSI, Register.RDI];

    private static readonly int[] Vectors = [.. Enumerable.Range(NativePlace.FirstVector, 32)];

    // Windows: the lower halves of xmm6 to xmm15 are preserved.
    private static readonly int[] VectorsOnWindows = [.. Vectors.Where(vector => vector - NativePlace.FirstVector is < 6 or > 15)];

    private readonly Dictionary<int, SymbolicBytes> _registers = [];
    private readonly List<(NativePlace Place, int Size, SymbolicBytes Bytes)> _writes = [];

    public static int NumberOf(Register register)
    {
        if (register.IsVectorRegister())
            return NativePlace.FirstVector + register.GetNumber();
        return register.IsGPR() ? register.GetFullRegister() - Register.RAX : -1;
    }

    public SymbolicBytes Read(Register register)
    {
        int number = NumberOf(register);
        if (number < 0)
            return SymbolicBytes.Nothing;
        if (_registers.TryGetValue(number, out SymbolicBytes? bytes))
            return bytes;
        bool isFrame = convention.IsFrame(register);
        // Locals are addressed by it, so as a value it is an address.
        return isFrame
            ? SymbolicBytes.Of(new Symbol(SymbolKind.Address, new NativePlace(true, number, 0)), 8)
            : SymbolicBytes.Of(new Symbol(SymbolKind.Content, new NativePlace(false, number, 0)), RegisterSize);
    }

    public void Write(Register register, SymbolicBytes bytes)
    {
        int number = NumberOf(register);
        // The second and third byte registers (ah etc.) do not occur in jitted code.
        if (number >= 0)
            _registers[number] = register.IsGPR() && register.GetSize() < 4 ? Read(register).With(0, register.GetSize(), bytes) : bytes;
    }

    public void Write(Register register, Symbol symbol) => Write(register, SymbolicBytes.Of(symbol, 8));

    /// <summary>The current content of the frame.</summary>
    public SymbolicBytes Read(NativePlace place, int size)
    {
        var bytes = SymbolicBytes.Of(new Symbol(SymbolKind.Content, place), size);
        foreach ((NativePlace written, int length, SymbolicBytes content) in _writes)
        {
            long distance = (long)written.Offset - place.Offset;
            if (written.HasBaseOf(place) && distance < size && distance + length > 0)
                bytes = bytes.With((int)distance, length, content).Slice(0, size);
        }
        return bytes;
    }

    public void Write(NativePlace place, int size, SymbolicBytes bytes)
    {
        // Unoptimised code uses the same slots repeatedly.
        _writes.RemoveAll(w => w.Place == place && w.Size == size);
        if (_writes.Count < WritesLimit)
            _writes.Add((place, size, bytes));
    }

    public void ForgetVolatile()
    {
        foreach (Register register in convention.IsWindows ? Volatile : VolatileOnUnix)
            _registers[NumberOf(register)] = SymbolicBytes.Nothing;
        foreach (int vector in convention.IsWindows ? VectorsOnWindows : Vectors)
            _registers[vector] = SymbolicBytes.Nothing;
    }
}
