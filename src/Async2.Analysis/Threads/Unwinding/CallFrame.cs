namespace Async2.Analysis.Threads.Unwinding;

/// <summary>How one register of the caller is found.</summary>
/// <param name="Kind">The way.</param>
/// <param name="Value">An offset from the frame's address, or a register's number.</param>
/// <param name="Expression">For the ways that compute: the program.</param>
internal readonly record struct RegisterRule(RegisterRuleKind Kind, long Value = 0, byte[]? Expression = null);

/// <summary>Ways to find a register of the caller (DWARF 5, section 6.4.1).</summary>
internal enum RegisterRuleKind
{
    /// <summary>It was not changed.</summary>
    Same,

    /// <summary>It is lost; as a return address: there is no caller.</summary>
    Undefined,

    /// <summary>In memory, so far from the frame's address.</summary>
    At,

    /// <summary>The frame's address and an offset.</summary>
    Is,

    /// <summary>In another register.</summary>
    Register,

    /// <summary>In memory, where a program says.</summary>
    AtExpression,

    /// <summary>What a program computes.</summary>
    IsExpression,
}

/// <summary>The rules of a native frame at one instruction, as its call frame instructions give them (DWARF 5, section 6.4.2).</summary>
internal sealed class CallFrame
{
    /// <summary>Registers of x64 and the return address, as the System V ABI numbers them.</summary>
    public const int Registers = 17;

    private const int StackLimit = 16;

    private readonly Stack<(RegisterRule Frame, long Offset, RegisterRule[] Rules)> _remembered = new();
    private RegisterRule[] _rules = new RegisterRule[Registers];
    private RegisterRule[] _initial = new RegisterRule[Registers];

    /// <summary>How the frame's address is found, which is the stack pointer of the caller: a register and an offset, or a program.</summary>
    public RegisterRule Frame { get; private set; }

    /// <summary>Its offset, where it is not a program.</summary>
    public long FrameOffset { get; private set; }

    /// <summary>There is no caller: the thread begins here.</summary>
    public bool IsOutermost => _rules[Registers - 1].Kind == RegisterRuleKind.Undefined;

    /// <summary>How a register of the caller is found.</summary>
    public RegisterRule this[int register] => _rules[register];

    /// <summary>Null if the instructions cannot be followed.</summary>
    public static CallFrame? At(FrameDescription description, ulong instruction)
    {
        var frame = new CallFrame();
        if (!frame.Run(description, description.Common, description.Begin, ulong.MaxValue))
            return null;
        frame._initial = [.. frame._rules];
        return frame.Run(description, description.Own, description.Begin, instruction) ? frame : null;
    }

    // Until what holds at an instruction is known.
    private bool Run(FrameDescription description, byte[] program, ulong begin, ulong instruction)
    {
        var cursor = new DwarfCursor(program, 0);
        ulong now = begin;
        while (!cursor.IsAtEnd && now <= instruction)
        {
            byte code = cursor.Byte();
            if (AdvanceOf(code, description, ref cursor) is { } advance)
                now += advance;
            else if (!(code >= 0x80 ? Short(code, description, ref cursor) : Long(code, description, ref cursor)))
                return false;
        }
        return !cursor.IsBroken;
    }

    private static ulong? AdvanceOf(byte code, FrameDescription description, ref DwarfCursor cursor) => code switch
    {
        >= 0x40 and < 0x80 => (ulong)(code & 0x3f) * description.CodeUnit,
        0x02 => cursor.Byte() * description.CodeUnit,
        0x03 => cursor.UInt16() * description.CodeUnit,
        0x04 => cursor.UInt32() * description.CodeUnit,
        _ => null,
    };

    // DW_CFA_offset and DW_CFA_restore.
    private bool Short(byte code, FrameDescription description, ref DwarfCursor cursor)
    {
        int register = code & 0x3f;
        return code < 0xc0
            ? Set((ulong)register, new(RegisterRuleKind.At, (long)cursor.Unsigned() * description.DataUnit))
            : register >= Registers || Set((ulong)register, _initial[register]);
    }

    private bool Long(byte code, FrameDescription description, ref DwarfCursor cursor) => code switch
    {
        // DW_CFA_nop, DW_CFA_GNU_args_size.
        0x00 => true,
        0x2e => cursor.Unsigned() is var _,
        // DW_CFA_offset_extended(_sf), restore_extended, undefined, same_value, register.
        0x05 => Set(cursor.Unsigned(), new(RegisterRuleKind.At, (long)cursor.Unsigned() * description.DataUnit)),
        0x11 => Set(cursor.Unsigned(), new(RegisterRuleKind.At, cursor.Signed() * description.DataUnit)),
        0x06 => cursor.Unsigned() is var register && (register >= Registers || Set(register, _initial[register])),
        0x07 => Set(cursor.Unsigned(), new(RegisterRuleKind.Undefined)),
        0x08 => Set(cursor.Unsigned(), new(RegisterRuleKind.Same)),
        0x09 => Set(cursor.Unsigned(), new(RegisterRuleKind.Register, (long)cursor.Unsigned())),
        // DW_CFA_val_offset(_sf), expression, val_expression.
        0x14 => Set(cursor.Unsigned(), new(RegisterRuleKind.Is, (long)cursor.Unsigned() * description.DataUnit)),
        0x15 => Set(cursor.Unsigned(), new(RegisterRuleKind.Is, cursor.Signed() * description.DataUnit)),
        0x10 => Set(cursor.Unsigned(), new(RegisterRuleKind.AtExpression, 0, Block(ref cursor))),
        0x16 => Set(cursor.Unsigned(), new(RegisterRuleKind.IsExpression, 0, Block(ref cursor))),
        // DW_CFA_remember_state, restore_state.
        0x0a => Remember(),
        0x0b => Recall(),
        // DW_CFA_def_cfa(_sf), def_cfa_register, def_cfa_offset(_sf), def_cfa_expression.
        0x0c => Define(new(RegisterRuleKind.Register, (long)cursor.Unsigned()), (long)cursor.Unsigned()),
        0x12 => Define(new(RegisterRuleKind.Register, (long)cursor.Unsigned()), cursor.Signed() * description.DataUnit),
        0x0d => Define(new(RegisterRuleKind.Register, (long)cursor.Unsigned()), FrameOffset),
        0x0e => Define(Frame, (long)cursor.Unsigned()),
        0x13 => Define(Frame, cursor.Signed() * description.DataUnit),
        0x0f => Define(new(RegisterRuleKind.IsExpression, 0, Block(ref cursor)), 0),
        _ => false,
    };

    private static byte[] Block(ref DwarfCursor cursor) => [.. cursor.Take(cursor.Unsigned())];

    private bool Define(RegisterRule frame, long offset)
    {
        (Frame, FrameOffset) = (frame, offset);
        return true;
    }

    // Vector registers have numbers, too, and are not needed.
    private bool Set(ulong register, RegisterRule rule)
    {
        if (register < Registers)
            _rules[register] = rule;
        return true;
    }

    private bool Remember()
    {
        _remembered.Push((Frame, FrameOffset, [.. _rules]));
        return _remembered.Count <= StackLimit;
    }

    private bool Recall()
    {
        if (_remembered.Count == 0)
            return false;
        (Frame, FrameOffset, _rules) = _remembered.Pop();
        return true;
    }
}
