using System.Runtime.InteropServices;
using Async2.Analysis.Targets.Memory;

namespace Async2.Tests.Targets;

public sealed unsafe class MemoryCallsTests
{
    [Fact]
    public void An_address_that_cannot_be_read_is_not_a_matter_of_rights()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "the memory file of a process is Linux's");
        long value = 0x1234_5678_9abc_def0, copy = 0;
        MemorySlice here = new((ulong)&copy, sizeof(long)), known = new((ulong)&value, sizeof(long)), unmapped = new(0x1000, sizeof(long));
        Assert.Equal((sizeof(long), value), (MemoryCalls.ReadFile(Environment.ProcessId, &here, &known, 1), copy));
        Assert.Equal(-1, MemoryCalls.ReadFile(Environment.ProcessId, &here, &unmapped, 1));
        Assert.NotEqual(MemoryCalls.NotPermitted, Marshal.GetLastPInvokeError());
        Assert.Equal(-1, MemoryCalls.ReadFile(int.MaxValue, &here, &known, 1));
        Assert.Equal(MemoryCalls.NotPermitted, Marshal.GetLastPInvokeError());
    }
}
