using Async2.Analysis.Targets.Elf;

namespace Async2.Analysis.Threads.Unwinding;

/// <summary>Calls in the code of x64.</summary>
internal static class CallSite
{
    // call [register + n] has up to seven bytes: a prefix, ff, what to call, and four bytes of n. A call to a fixed place has five.
    private const int Longest = 7;
    private const int Direct = 5;

    /// <summary>Whether a call ends before an instruction, as it does before each to which a method returns.</summary>
    public static bool IsBefore(ulong instruction, ElfRead read)
    {
        Span<byte> before = stackalloc byte[Longest];
        if (!read(instruction - Longest, before))
            return false;
        if (before[^Direct] == 0xe8)
            return true;
        for (int length = 2; length <= Longest; length++)
        {
            // Of the group of ff the second is a call of what a register has or points to.
            if (before[^length] == 0xff && (before[^(length - 1)] >> 3 & 7) == 2)
                return true;
        }
        return false;
    }
}
