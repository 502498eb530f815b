using Async2.Analysis.Targets.Elf;

namespace Async2.Analysis.Threads.Unwinding;

/// <summary>The registers of x64 while a frame is left, by the numbers that instructions give them.</summary>
/// <param name="values">The sixteen of them.</param>
/// <param name="read">Reads memory.</param>
internal sealed class X64Registers(ulong[] values, ElfRead read)
{
    /// <summary>How many there are.</summary>
    public const int Count = 16;

    private const int StackRegister = 4;

    /// <summary>All of them.</summary>
    public ulong[] Values => values;

    /// <summary>The stack pointer.</summary>
    public ulong Stack
    {
        get => values[StackRegister];
        set => values[StackRegister] = value;
    }

    /// <summary>Where the caller goes on, if the function does not return but ends an interruption.</summary>
    public ulong? Interrupted { get; private set; }

    /// <summary>One of them.</summary>
    public ulong this[int register] => values[register];

    /// <summary>The same, to be changed on their own.</summary>
    public X64Registers Copy() => new([.. values], read);

    /// <summary>Takes a register from a place; false if that cannot be read.</summary>
    public bool Load(int register, ulong place)
    {
        if (DwarfExpression.Word(place, read) is not { } value)
            return false;
        values[register] = value;
        return true;
    }

    /// <summary>Takes a register from the top of the stack.</summary>
    public bool Pop(int register)
    {
        ulong place = Stack;
        Stack += sizeof(ulong);
        return Load(register, place);
    }

    /// <summary>Takes the return address from the top of the stack; null if that cannot be read.</summary>
    public ulong? Return()
    {
        ulong place = Stack;
        Stack += sizeof(ulong);
        return DwarfExpression.Word(place, read);
    }

    /// <summary>Takes what the processor pushes when it is interrupted: an instruction, two words, and the stack pointer; before them perhaps a number.</summary>
    public bool ReturnFromInterrupt(bool hasNumber)
    {
        ulong place = Stack + (hasNumber ? sizeof(ulong) : 0ul);
        Interrupted = DwarfExpression.Word(place, read);
        return Interrupted is not null && Load(StackRegister, place + (3 * sizeof(ulong)));
    }
}
