using Async2.Analysis.Targets.Elf;

namespace Async2.Analysis.Threads.Unwinding;

/// <summary>The way from a frame of native code of Windows to its caller, by the tables that its library has for exceptions (PE Format, .pdata).</summary>
internal static class WindowsFrame
{
    /// <summary>The caller; null if there is none, or it cannot be found.</summary>
    /// <param name="frame">The frame.</param>
    /// <param name="library">The functions of the library whose code it executes.</param>
    /// <param name="start">Where the library begins.</param>
    /// <param name="read">Reads memory.</param>
    /// <param name="isOutermost">There is none: the thread begins here.</param>
    public static NativeFrame? CallerOf(NativeFrame frame, FunctionTable library, ulong start, ElfRead read, out bool isOutermost)
    {
        isOutermost = false;
        bool? has = library.Find((uint)(frame.Inside - start), out RuntimeFunction function);
        if (has == false)
            return frame.WasCalling ? null : frame.CallerOfLeaf(read);
        var registers = new X64Registers(frame.ByInstructions(), read);
        if (has is null || UnwindInfo.Read(library.Read, function.Info) is not { } info)
            return null;
        uint instruction = (uint)(frame.Instruction - start);
        X64Registers? ended = frame.WasCalling ? null : Epilogue.Run(library, function, info.FrameRegister, instruction, registers);
        if (ended is null && !Undo(library, function, info, instruction, registers))
            return null;
        ended ??= registers;
        bool isInterrupted = ended.Interrupted is not null;
        if ((ended.Interrupted ?? ended.Return()) is not { } returns)
            return null;
        isOutermost = returns == 0;
        return isOutermost ? null : frame.CallerWith(ended.Values, returns, !isInterrupted);
    }

    // All parts of the function, from the one in which it is to the first.
    private static bool Undo(FunctionTable library, RuntimeFunction function, UnwindInfo info, uint instruction, X64Registers registers)
    {
        ulong frame = info.FrameOf(registers, instruction - function.Begin);
        for (int i = 0; i < RuntimeFunction.ChainLimit; i++)
        {
            if (!info.Undo(registers, frame, instruction - function.Begin))
                return false;
            if (info.Chained is not { } before)
                return true;
            if (UnwindInfo.Read(library.Read, before.Info) is not { } next)
                return false;
            (function, info) = (before, next);
        }
        return false;
    }
}
